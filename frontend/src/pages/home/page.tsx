import { useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { takePlace } from "../../app/comeback";
import { formatSearch } from "../../app/url";
import { useMe } from "../../api/me";
import { useGet } from "../../api/queries";
import { Failed, Loading } from "../../parts/faces";
import { Start } from "./start";

/** Home leads to where the work is: the comparison of the demo, the notebooks once there are any, the runs, or the three steps to the first of them; and who signed in elsewhere, to the page they wanted. */
export default function HomePage() {
  const router = useRouter();
  const me = useMe();
  const home = me.isPlaceholderData ? undefined : me.data?.home;
  const compared = home?.kind === "comparison";
  const notebooks = useGet<{ items: unknown[] }>(home && !compared ? "/notebooks" : null);
  const some = notebooks.error ? false : notebooks.data && notebooks.data.items.length > 0;
  const runs = useGet<{ items: unknown[] }>(home && !compared ? "/runs" : null, { limit: 1 });
  const worked = runs.error ? true : runs.data && runs.data.items.length > 0;
  const fresh = some === false && worked === false;
  useEffect(() => {
    if (!home || (!compared && (some === undefined || worked === undefined))) return;
    const kept = takePlace();
    if (fresh && !kept) return;
    const to = compared ? `/compare${formatSearch({ baseline: home.baseline, candidate: home.candidate })}` : some ? "/notebooks" : "/runs";
    router.history.replace(kept ?? to);
  }, [home, compared, some, worked, fresh, router]);
  if (me.error) return <Failed page error={me.error} retry={() => void me.refetch()} />;
  return fresh ? <Start /> : <Loading />;
}
