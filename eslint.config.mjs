import tseslint from 'typescript-eslint';

/** Folders below `store` and `app` read no ambient state: clock, environment and randomness come in as arguments. */
const ambient = [
  {
    selector: "CallExpression[callee.object.name='Date'][callee.property.name='now']",
    message: 'Take the clock as an argument.',
  },
  { selector: "NewExpression[callee.name='Date'][arguments.length=0]", message: 'Take the clock as an argument.' },
  {
    selector: "MemberExpression[object.name='process'][property.name='env']",
    message: 'process.env enters through openWorkspace.',
  },
  {
    selector: "CallExpression[callee.object.name='Math'][callee.property.name='random']",
    message: 'Take ids as an argument.',
  },
];

export default tseslint.config(
  {
    ignores: ['**/dist/', 'build/', 'coverage/', 'screenshots/', '**/*.mjs', '**/*.cjs', 'sample/', 'client/types.ts'],
  },
  tseslint.configs.strictTypeChecked,
  tseslint.configs.stylisticTypeChecked,
  {
    // One program over all files: each is checked once, not again in every project that refers to it.
    languageOptions: { parserOptions: { project: 'tsconfig.lint.json', tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/consistent-type-definitions': ['error', 'interface'],
      // Names the return type of the function that makes a view: `interface View extends ReturnType<typeof viewOf> {}`.
      '@typescript-eslint/no-empty-object-type': ['error', { allowInterfaces: 'with-single-extends' }],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      // One import of each file: `import { a, type B } from …`.
      'no-duplicate-imports': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreVoidReturningFunctions: true }],
      // Factories return plain objects of closures; none of our code uses `this`.
      '@typescript-eslint/unbound-method': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      'no-restricted-syntax': [
        'error',
        { selector: 'ExportDefaultDeclaration', message: 'Named exports only.' },
        { selector: 'ExportAllDeclaration', message: 'No barrels.' },
      ],
      // A comment states its rule; it must not refer to documents outside the repository.
      'no-warning-comments': [
        'error',
        { terms: ['seed 000', 'seed 001', 'seed 002', 'seed 003', 'seed 004', '(design,'], location: 'anywhere' },
      ],
      'max-lines': ['error', { max: 500, skipBlankLines: true, skipComments: true }],
    },
  },
  {
    files: ['src/{ui,vscode}/**/*.ts', 'webview/**/*.ts'],
    rules: { 'max-lines-per-function': ['error', { max: 80, skipBlankLines: true, skipComments: true }] },
  },
  {
    files: ['src/{core,trust,store,app,tools}/**/*.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        { selector: 'ExportDefaultDeclaration', message: 'Named exports only.' },
        { selector: 'ExportAllDeclaration', message: 'No barrels.' },
        ...ambient,
      ],
    },
  },
  {
    files: ['src/**/*.ts'],
    ignores: ['src/store/**'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          paths: [{ name: 'sql.js', message: 'Only store touches the database.' }],
        },
      ],
    },
  },
  {
    files: ['src/**/*.ts', 'webview/**/*.ts'],
    rules: { 'max-params': ['error', { max: 4 }] },
  },
  {
    files: ['test/**/*.ts'],
    rules: {
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-floating-promises': 'error',
      'max-lines': 'off',
    },
  },
);
