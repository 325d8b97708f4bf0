import { Autocomplete, Button, NativeSelect } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useMay } from "../../api/me";
import { BuyDialog } from "../../parts/buydialog";
import { JobProgress } from "../../parts/jobprogress";

/** How many items a judge can be measured with here; the command line takes any number, and labelled files too. */
const amounts = ["10", "50", "200"];

/** Measures a judge: what that asks and costs comes first. */
export function Measure({ judges, shown }: { judges: string[]; shown: string }) {
  const { t } = useTranslation();
  const may = useMay("run");
  const [open, setOpen] = useState(false);
  const [job, setJob] = useState("");
  const [judge, setJudge] = useState(shown);
  const [items, setItems] = useState("50");
  const chosen = JSON.stringify({ judge: judge.trim(), items: Number(items) });
  const [settled] = useDebouncedValue(chosen, 350);
  if (!may) return null;
  return (
    <>
      <JobProgress id={job} />
      <Button variant="default" className="no-print" onClick={() => setOpen(true)}>
        {t("judges.measure")}
      </Button>
      <BuyDialog
        opened={open}
        title={t("judges.measureTitle")}
        text={t("judges.measureText")}
        action={t("judges.measureStart")}
        path="/judge-cards"
        body={JSON.parse(settled) as Record<string, unknown>}
        waiting={settled !== chosen}
        missing={judge.trim() ? "" : t("judges.measureWhich")}
        fields={
          <>
            <Autocomplete
              label={t("judges.choose")}
              description={t("judges.measureName")}
              value={judge}
              onChange={setJudge}
              data={judges}
            />
            <NativeSelect label={t("judges.items")} value={items} onChange={(e) => setItems(e.currentTarget.value)} data={amounts} />
          </>
        }
        onClose={() => setOpen(false)}
        onStarted={setJob}
      />
    </>
  );
}
