import { useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { formatSearch } from "../../app/url";
import { useMe } from "../../api/me";
import { Failed, Loading } from "../../parts/faces";

/** Home leads to where the work is: the comparison of the demo, or the runs. */
export default function HomePage() {
  const router = useRouter();
  const me = useMe();
  const home = me.data?.home;
  useEffect(() => {
    if (!home) return;
    const to = home.kind === "comparison" ? `/compare${formatSearch({ baseline: home.baseline, candidate: home.candidate })}` : "/runs";
    router.history.replace(to);
  }, [home, router]);
  if (me.error) return <Failed error={me.error} retry={() => void me.refetch()} />;
  return <Loading />;
}
