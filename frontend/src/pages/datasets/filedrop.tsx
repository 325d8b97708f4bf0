import { Button, Loader } from "@mantine/core";
import { type DragEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useFormat } from "../../parts/format";
import { droppedEntries, filesBelow } from "./dropped";
import css from "./datasets.module.css";

interface FileDropProps {
  accept: string;
  many?: boolean;
  busy: boolean;
  chosen: File[];
  hint: string;
  onChoose: (files: File[]) => void;
}

/** A place for files: dropped, or chosen with the button. */
export function FileDrop({ accept, many = false, busy, chosen, hint, onChoose }: FileDropProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const plain = [...event.dataTransfer.files];
    const entries = many ? droppedEntries(event.dataTransfer) : [];
    const chose = (files: File[]) => files.length > 0 && onChoose(many ? files : files.slice(0, 1));
    if (!entries.some((e) => e.isDirectory)) chose(plain);
    else filesBelow(entries).then(chose, () => chose(plain));
  };
  const size = chosen.reduce((sum, f) => sum + f.size, 0);
  return (
    <div
      className={`${css.drop} ${over ? css.over : ""}`}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <input
        ref={input}
        type="file"
        className="hidden-text"
        tabIndex={-1}
        aria-label={t("datasets.choose")}
        accept={accept}
        multiple={many}
        onChange={(event) => {
          const files = [...(event.currentTarget.files ?? [])];
          event.currentTarget.value = "";
          if (files.length > 0) onChoose(files);
        }}
      />
      {chosen.length > 0 && (
        <strong>
          {chosen.length === 1 ? chosen[0]?.name : t("datasets.files", { count: chosen.length })}{" "}
          <span className="soft small">{t("datasets.kilobytes", { n: format.count(Math.ceil(size / 1024)) })}</span>
        </strong>
      )}
      <span className="soft">{t(many ? "datasets.dropMany" : "datasets.drop")}</span>
      <Button variant="default" onClick={() => input.current?.click()} disabled={busy}>
        {t("datasets.choose")}
      </Button>
      <span className="soft small">{hint}</span>
      {busy && <Loader size="sm" aria-label={t("faces.loading")} />}
    </div>
  );
}
