/** What programs call themselves, the more particular first: most browsers also claim to be others. */
const browsers: [RegExp, string][] = [
  [/\bEdg(?:e|A|iOS)?\/(\d+)/, "Edge"],
  [/\bOPR\/(\d+)/, "Opera"],
  [/\b(?:Firefox|FxiOS)\/(\d+)/, "Firefox"],
  [/\b(?:HeadlessChrome|Chrome|Chromium|CriOS)\/(\d+)/, "Chrome"],
  [/\bVersion\/(\d+)[\d.]* (?:Mobile\/\w+ )?Safari\//, "Safari"],
];

const systems: [RegExp, string][] = [
  [/\bWindows NT\b/, "Windows"],
  [/\bAndroid\b/, "Android"],
  [/\b(?:iPhone|iPad)\b/, "iOS"],
  [/\bMac OS X\b/, "macOS"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b/, "Linux"],
];

/** The name, version and system of a browser in few words, as far as it says so itself; what is not known stays as it is. */
export function browserOf(agent: string): string {
  const found = browsers.flatMap(([pattern, name]) => {
    const version = pattern.exec(agent)?.[1];
    return version ? [`${name} ${version}`] : [];
  })[0];
  const system = systems.find(([pattern]) => pattern.test(agent))?.[1];
  return found ? [found, system].filter(Boolean).join(" · ") : agent;
}
