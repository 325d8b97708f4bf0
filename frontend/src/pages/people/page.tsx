import { useTranslation } from "react-i18next";
import { useMay, useMe } from "../../api/me";
import { absent } from "../../parts/format";
import { Card, Facts, PageHead } from "../../parts/page";
import { PageLink } from "../../parts/pagelink";
import { Accounts } from "./accounts";
import { Password } from "./password";
import { Sessions } from "./sessions";
import { Shares } from "./shares";
import { Tokens } from "./tokens";

/** Oneself: password, tokens and sessions. For administrators also everybody else. */
export default function PeoplePage() {
  const { t } = useTranslation();
  const me = useMe().data;
  const admin = useMay("admin");
  const mayShare = useMay("edit");
  const signedIn = me?.kind === "account";
  return (
    <>
      <PageHead
        title={t("nav.people")}
        name={t("nav.people")}
        actions={admin && <PageLink to="/people/audit">{t("people.audit")}</PageLink>}
      />
      <div className="stack">
        <Card title={t("people.you")}>
          <Facts
            facts={[
              [t("people.name"), me?.kind === "local" ? t("people.local") : me?.name || absent],
              [t("people.role"), me?.role ? t(`people.roles.${me.role}`) : absent],
            ]}
          />
          {me?.kind === "local" && <p className="soft small">{t("people.localMeaning")}</p>}
        </Card>
        {signedIn && <Password />}
        {(signedIn || admin) && <Tokens own={signedIn} admin={admin} />}
        {mayShare && <Shares />}
        {signedIn && <Sessions present={me?.session ?? ""} />}
        {admin && <Accounts self={me?.account ?? ""} />}
      </div>
    </>
  );
}
