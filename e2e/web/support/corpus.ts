/** Texts that become more than text wherever they are not kept as text. Each would set `pwned` on the page. */
export const corpus: readonly string[] = [
  '<script>window.pwned=1</script>',
  '</script><script>window.pwned=1</script>',
  '<SCRIPT SRC=//evil.example/x.js></SCRIPT>',
  '<script>/*</script><script>window.pwned=1</script>*/',
  '<scr<script>ipt>window.pwned=1</scr</script>ipt>',
  '<!--<script>window.pwned=1</script>-->',
  '--><script>window.pwned=1</script><!--',
  ']]><script>window.pwned=1</script>',
  '<img src=x onerror=window.pwned=1>',
  '<img src="x" onerror="window.pwned=1"/>',
  '"><img src=x onerror=window.pwned=1>',
  "'><img src=x onerror=window.pwned=1>",
  '`><img src=x onerror=window.pwned=1>',
  '<svg onload=window.pwned=1>',
  '<svg><script>window.pwned=1</script></svg>',
  '<svg><animate onbegin=window.pwned=1 attributeName=x dur=1s>',
  '<svg><a xlink:href="javascript:window.pwned=1"><text>x</text></a></svg>',
  '<math><mtext></mtext><mglyph><style><img src=x onerror=window.pwned=1></style></mglyph></math>',
  '<iframe src="javascript:window.pwned=1"></iframe>',
  '<iframe srcdoc="<script>parent.pwned=1</script>"></iframe>',
  '<object data="javascript:window.pwned=1"></object>',
  '<embed src="javascript:window.pwned=1">',
  '<body onload=window.pwned=1>',
  '<details open ontoggle=window.pwned=1>',
  '<video><source onerror=window.pwned=1></video>',
  '<audio src=x onerror=window.pwned=1>',
  '<input autofocus onfocus=window.pwned=1>',
  '<select autofocus onfocus=window.pwned=1>',
  '<textarea autofocus onfocus=window.pwned=1>',
  '<marquee onstart=window.pwned=1>',
  '<a href="javascript:window.pwned=1">click</a>',
  '[click](javascript:window.pwned=1)',
  'javascript:window.pwned=1',
  'data:text/html,<script>window.pwned=1</script>',
  '<form action="javascript:window.pwned=1"><button>x</button></form>',
  '<meta http-equiv="refresh" content="0;url=javascript:window.pwned=1">',
  '<base href="//evil.example/">',
  '<link rel=stylesheet href=//evil.example/x.css>',
  '<style>@import "//evil.example/x.css";*{display:none}</style>',
  '<style>body{background:url(//evil.example/x.png)}</style>',
  '" onmouseover="window.pwned=1" x="',
  "' onfocus='window.pwned=1' autofocus='",
  '&lt;script&gt;window.pwned=1&lt;/script&gt;',
  '&#60;script&#62;window.pwned=1&#60;/script&#62;',
  '\\u003cscript\\u003ewindow.pwned=1\\u003c/script\\u003e',
  '{{constructor.constructor("window.pwned=1")()}}',
  '${window.pwned=1}',
  '{"__proto__":{"pwned":1},"dangerouslySetInnerHTML":{"__html":"<img src=x onerror=window.pwned=1>"}}',
  '<template><script>window.pwned=1</script></template>',
  '<noscript><p title="</noscript><img src=x onerror=window.pwned=1>">',
];

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const inXml = (text: string) => text.replace(/[&<>"]/g, (sign) => escapes[sign]!);

/** A report in which every test that fails has one of these names. */
export const hostileJunit = (texts: readonly string[]): string =>
  `<testsuite tests="${texts.length + 1}"><testcase name="fine"/>${texts
    .map((text) => `<testcase name="${inXml(text)}"><failure message="${inXml(text)}"/></testcase>`)
    .join('')}</testsuite>`;
