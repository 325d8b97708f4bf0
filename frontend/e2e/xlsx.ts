import { crc32 } from "node:zlib";

/** A workbook as bytes: rows of texts by the name of their sheet. */
export function workbook(sheets: Record<string, string[][]>): Buffer {
  const names = Object.keys(sheets);
  const office = "http://schemas.openxmlformats.org";
  const relations = (list: string[]) => `<Relationships xmlns="${office}/package/2006/relationships">${list.join("")}</Relationships>`;
  const relation = (i: number, type: string, target: string) =>
    `<Relationship Id="r${i}" Type="${office}/officeDocument/2006/relationships/${type}" Target="${target}"/>`;
  const type = (part: string, of: string) =>
    `<Override PartName="/${part}" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.${of}+xml"/>`;
  const cell = (text: string) => `<c t="inlineStr"><is><t>${text.replace(/[&<]/g, (c) => (c === "&" ? "&amp;" : "&lt;"))}</t></is></c>`;
  const parts: [string, string][] = [
    [
      "[Content_Types].xml",
      `<Types xmlns="${office}/package/2006/content-types"><Default Extension="rels" ` +
        `ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>` +
        `${type("xl/workbook.xml", "sheet.main")}${names.map((_, i) => type(`xl/worksheets/s${i}.xml`, "worksheet")).join("")}</Types>`,
    ],
    ["_rels/.rels", relations([relation(0, "officeDocument", "xl/workbook.xml")])],
    [
      "xl/workbook.xml",
      `<workbook xmlns="${office}/spreadsheetml/2006/main" xmlns:r="${office}/officeDocument/2006/relationships"><sheets>` +
        `${names.map((name, i) => `<sheet name="${name}" sheetId="${i + 1}" r:id="r${i}"/>`).join("")}</sheets></workbook>`,
    ],
    ["xl/_rels/workbook.xml.rels", relations(names.map((_, i) => relation(i, "worksheet", `worksheets/s${i}.xml`)))],
    ...names.map((name, i): [string, string] => [
      `xl/worksheets/s${i}.xml`,
      `<worksheet xmlns="${office}/spreadsheetml/2006/main"><sheetData>` +
        `${(sheets[name] ?? []).map((row) => `<row>${row.map(cell).join("")}</row>`).join("")}</sheetData></worksheet>`,
    ]),
  ];
  return zip(parts);
}

/** Texts as a ZIP archive, unpacked. */
function zip(parts: [string, string][]): Buffer {
  const files: Buffer[] = [];
  const entries: Buffer[] = [];
  let at = 0;
  for (const [name, text] of parts) {
    const body = Buffer.from(text);
    const path = Buffer.from(name);
    const common = Buffer.alloc(26); // version, flags, method, time, date, sum, sizes, length of the name, of what follows it
    common.writeUInt16LE(20, 0);
    common.writeUInt32LE(crc32(body), 10);
    common.writeUInt32LE(body.length, 14);
    common.writeUInt32LE(body.length, 18);
    common.writeUInt16LE(path.length, 22);
    const rest = Buffer.alloc(14); // length of the comment, disk, attributes, where the file begins
    rest.writeUInt32LE(at, 10);
    entries.push(Buffer.from("PK\x01\x02\x14\x00", "latin1"), common, rest, path);
    files.push(Buffer.from("PK\x03\x04", "latin1"), common, path, body);
    at += 30 + path.length + body.length;
  }
  const directory = Buffer.concat(entries);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(parts.length, 8);
  end.writeUInt16LE(parts.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...files, directory, end]);
}
