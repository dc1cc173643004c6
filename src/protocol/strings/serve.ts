/** The pages of `holdpoint serve` around the forms. */
export const englishBrowser = {
  'browser.waiting': 'Waiting for you',
  'browser.nothing': 'Nothing is waiting for you.',
  'browser.back': 'All items',
  'browser.end': 'Sign out',
  'browser.offline': 'You are offline. What you write stays in this browser.',
  'browser.lost': 'The server does not answer. What you write stays in this browser. Trying again…',
  'browser.signedOut': 'You are signed out. What you wrote stays in this browser.',
  'browser.signIn': 'Sign in',
  'browser.inEditor': '{path} opens only in the editor.',
  'browser.copied': 'Copied.',
  'browser.welcome': 'Open your inbox',
  'browser.codeWhy':
    'Enter the code that the editor or the terminal shows. It works once, within five minutes. With a code you can read; to decide, you add a passkey.',
  'browser.code': 'Code',
  'browser.open': 'Open',
  'browser.wrongCode': 'This code does not open a session. It may have been used, or be older than five minutes.',
  'browser.tooMany': 'Too many tries. Wait a minute.',
  'browser.unreachable': 'The server does not answer. Try again.',
} as const;
