/**
 * Whether the text of a program, given on the command line, can only compute and print. Every name in it must be on the
 * list, so that nothing which could write is reachable; calls only of listed functions.
 */

const words = new Set(
  `console log error table process version versions node v8 platform arch argv env cwd pid memoryUsage uptime JSON stringify parse
Object keys values entries fromEntries Math max min round floor ceil abs pow sqrt random Number String Boolean Array Date now
toISOString getTime length filter join sort reverse slice split toString toUpperCase toLowerCase trim includes startsWith
endsWith padStart padEnd indexOf reduce forEach map push concat flat flatMap replace replaceAll toFixed parseInt parseFloat
isNaN const let var if else for of in return typeof null true false undefined new require path os resolve basename
dirname extname homedir tmpdir cpus print import from as json loads load dumps sys stdin stdout read readline readlines
executable open len range sorted sum str int float list dict set tuple enumerate zip strip lstrip rstrip splitlines
format get items lambda not and or is None True False with except try pass re math datetime time platform
collections Counter hashlib md5 sha256 hexdigest encode decode base64 b64encode b64decode urllib quote unquote
name description dependencies devDependencies scripts main type exports engines license author files bin
i j k x y z a b c d e f g n m s t v w r p q l o data line lines key value item result obj pkg count total num text out`.split(
    /\s+/,
  ),
);
/** Names that may be called as functions. */
const functions = new Set(
  `log error table cwd memoryUsage uptime stringify parse keys values entries fromEntries max min round floor ceil abs pow
sqrt random Number String Boolean Date now toISOString getTime filter join sort reverse slice split toString toUpperCase
toLowerCase trim includes startsWith endsWith padStart padEnd indexOf reduce forEach map push concat flat flatMap toFixed
parseInt parseFloat isNaN require resolve basename dirname extname homedir tmpdir cpus print loads load dumps read readline
readlines open len range sorted sum str int float list dict set tuple enumerate zip strip lstrip rstrip splitlines format
get items Counter md5 sha256 hexdigest encode decode b64encode b64decode quote unquote if for of in return not and or`.split(
    /\s+/,
  ),
);

const string = /(?:(['"])((?:(?!\1)[^\\\n])*)\1)/g;

export function onlyPrints(text: string, language: 'python' | 'javascript'): boolean {
  if (text.length > 2_000 || /[`\\]|(?:^|[^\w])(?:f|rf|fr|u|b)['"]|'''|"""/i.test(text)) return false;
  const called: string[] = [];
  // Strings name modules and files only in these two calls.
  const bare = text.replaceAll(string, (_whole, _quote, value: string, at: number) => {
    const call = /(\w+)\s*\(\s*$/.exec(text.slice(0, at))?.[1];
    if (call === 'require' && !/^(?:\.{1,2}\/[\w./@-]+\.json|(?:node:)?(?:os|path))$/.test(value)) called.push(value);
    const after = text.slice(at).replace(/^(['"]).*?\1/, '');
    if (call === 'open' && !/^\s*(?:\)|,\s*(['"])r[bt]?\1\s*\))/.test(after)) called.push(value);
    return ' "" ';
  });
  if (called.length > 0 || /['"](?! |")/.test(bare.replaceAll(' "" ', ''))) return false;
  // Nor as values, which another function could call.
  if (/\b(?:require|open)\b(?!\s*\(\s*"")/.test(bare) || /\b(?:from|import)\s*""/.test(bare)) return false;
  if (language === 'python' && /\b(?:os|path|replace)\b/.test(bare)) return false;
  // A call of a call's result, or of an element.
  if (/[\])]\s*\(|"\s*\(/.test(bare) || bare.includes('__')) return false;
  // Elements by number; in Python also by a text, which cannot name a function there.
  if (/[\w)\]]\s*\[(?!\s*(?:-?\d+|"")?\s*(?::\s*-?\d*\s*)?\])/.test(bare)) return false;
  if (language === 'javascript' && /[\w)\]"]\s*\[\s*""/.test(bare)) return false;
  if (/(?:process|sys|path|os|json|require|console|Object|Math|module)\s*\[/.test(bare)) return false;
  for (const [name] of bare.matchAll(/[A-Za-z_$][\w$]*/g)) if (!words.has(name)) return false;
  for (const [, name = ''] of bare.matchAll(/([A-Za-z_$][\w$]*)\s*\(/g)) if (!functions.has(name)) return false;
  // No assignment to a property.
  return !/\.\s*\w+\s*=(?![=>])/.test(bare) && !/[^\x20-\x7e\n]/.test(bare);
}
