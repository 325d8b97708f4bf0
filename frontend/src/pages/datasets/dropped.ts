/** A file below a folder that was dropped: its path is kept, as a chosen folder has it. */
function placed(file: File, path: string): File {
  Object.defineProperty(file, "webkitRelativePath", { value: path });
  return file;
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((done, failed) => entry.file(done, failed));
}

/** All entries of a folder: a browser hands them out by the hundred. */
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((done, failed) => reader.readEntries(done, failed));
    if (some.length === 0) return all;
    all.push(...some);
  }
}

async function below(entry: FileSystemEntry): Promise<File[]> {
  if (entry.name.startsWith(".")) return []; // what a system hides is no document
  if (entry.isFile) {
    const file = await fileOf(entry as FileSystemFileEntry);
    const path = entry.fullPath.replace(/^\//, "");
    return [path.includes("/") ? placed(file, path) : file];
  }
  const files: File[] = [];
  for (const e of await entriesOf(entry as FileSystemDirectoryEntry)) files.push(...(await below(e)));
  return files;
}

/** The entries of what was dropped. To be asked for before anything is awaited: a browser forgets them. */
export function droppedEntries(data: DataTransfer): FileSystemEntry[] {
  return [...data.items].flatMap((item) => item.webkitGetAsEntry() ?? []);
}

/** All files that were dropped, also those in folders, sorted by their place. */
export async function filesBelow(entries: FileSystemEntry[]): Promise<File[]> {
  const lists = await Promise.all(entries.map(below));
  return lists.flat().sort((a, b) => (a.webkitRelativePath || a.name).localeCompare(b.webkitRelativePath || b.name));
}
