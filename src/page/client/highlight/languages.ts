/** The language of a file by its name, as highlight.js names it. */

const BY_EXTENSION: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    bash: 'sh bash zsh ksh bats',
    c: 'c h',
    cpp: 'cc cpp cxx hh hpp hxx ino',
    csharp: 'cs',
    css: 'css',
    diff: 'diff patch',
    go: 'go',
    graphql: 'graphql gql',
    ini: 'ini toml cfg conf properties editorconfig service desktop',
    java: 'java',
    javascript: 'js mjs cjs jsx',
    json: 'json jsonc json5 webmanifest map lock',
    kotlin: 'kt kts',
    less: 'less',
    lua: 'lua',
    makefile: 'mk mak',
    markdown: 'md mdx markdown',
    objectivec: 'm mm',
    perl: 'pl pm t',
    php: 'php',
    python: 'py pyi pyw',
    r: 'r',
    ruby: 'rb gemspec rake',
    rust: 'rs',
    scss: 'scss',
    sql: 'sql',
    swift: 'swift',
    typescript: 'ts mts cts tsx',
    vbnet: 'vb',
    wasm: 'wat',
    xml: 'xml html htm svg xhtml vue svelte plist csproj',
    yaml: 'yml yaml',
  }).flatMap(([language, extensions]) => extensions.split(' ').map((extension) => [extension, language])),
);

const BY_NAME: Readonly<Record<string, string>> = {
  makefile: 'makefile',
  gnumakefile: 'makefile',
  gemfile: 'ruby',
  rakefile: 'ruby',
  '.bashrc': 'bash',
  '.profile': 'bash',
  '.zshrc': 'bash',
  '.gitconfig': 'ini',
};

/** Undefined where the name does not say. */
export function languageOf(path: string): string | undefined {
  const name = (path.split('/').at(-1) ?? '').toLowerCase();
  if (Object.hasOwn(BY_NAME, name)) return BY_NAME[name];
  const extension = name.includes('.') ? (name.split('.').at(-1) ?? '') : '';
  return Object.hasOwn(BY_EXTENSION, extension) ? BY_EXTENSION[extension] : undefined;
}
