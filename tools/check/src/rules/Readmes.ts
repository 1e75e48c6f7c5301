import { execFile } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Rule, Subject, Violation } from '../Rule.ts'
import type { Package } from '../Workspace.ts'

/** One ```ts fence: its code, and the line of the README where it starts. */
export type Example = { readonly code: string; readonly line: number }

/** The TypeScript examples of a Markdown text. */
export const examplesOf = (markdown: string): readonly Example[] =>
  [...markdown.matchAll(/^```(?:ts|typescript)\b[^\n]*\n([\s\S]*?)^```/gm)].map((found) => ({
    code: found[1] ?? '',
    line: markdown.slice(0, found.index).split('\n').length + 1,
  }))

type Placed = { readonly readme: string; readonly file: string; readonly example: Example }

// Beside the package's own sources, so that an example resolves what an installed package would: itself and its dependencies.
const FOLDER = '.firn/readme'

const place = (root: string, folder: string, readme: string, markdown: string): readonly Placed[] =>
  examplesOf(markdown).map((example, index) => {
    const file = `${folder}/${FOLDER}/example-${index + 1}.ts`
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), `${example.code}\nexport {}\n`)
    return { readme, file, example }
  })

const configuration = (files: readonly string[], root: string, at: string) => ({
  extends: relative(at, join(root, 'tsconfig.base.json')),
  compilerOptions: {
    noEmit: true,
    composite: false,
    incremental: false,
    declaration: false,
    declarationMap: false,
    noUnusedLocals: false,
    types: ['node'],
    rootDir: relative(at, root),
  },
  include: [],
  files: files.map((file) => relative(at, join(root, file))),
})

const compiler = fileURLToPath(new URL('../../node_modules/.bin/tsc', import.meta.url))

const compile = async (root: string, files: readonly string[]): Promise<string> => {
  const at = join(root, 'tools/check', FOLDER)
  mkdirSync(at, { recursive: true })
  const project = join(at, 'tsconfig.json')
  writeFileSync(project, JSON.stringify(configuration(files, root, at), null, 2))
  try {
    await promisify(execFile)(compiler, ['-p', project, '--pretty', 'false'], {
      cwd: root,
      maxBuffer: 16 << 20,
    })
    return ''
  } catch (cause) {
    const { stdout, message } = cause as { stdout?: string; message: string }
    return stdout || message
  }
}

/** Compiler messages `path(line,column): error …`, moved to the README's line. */
const translate = (output: string, placed: readonly Placed[]): readonly Violation[] =>
  output
    .split('\n')
    .filter((text) => /\berror\b/.test(text))
    .map((text) => {
      const found = /^(.+?)\((\d+),\d+\): error (.*)$/.exec(text)
      const owner = placed.find(({ file }) => found?.[1]?.endsWith(file))
      if (!found || !owner) return { where: 'README examples', message: text }
      return {
        where: `${owner.readme}:${owner.example.line + Number(found[2]) - 1}`,
        message: found[3] ?? text,
      }
    })

const incomplete = (owner: Package, placed: readonly Placed[], exists: boolean): readonly Violation[] => {
  const where = `${owner.folder}/README.md`
  if (!exists) return [{ where, message: `${owner.name} has no README` }]
  if (placed.length === 0) return [{ where, message: `${owner.name}'s README has no \`\`\`ts example` }]
  const own = placed.some(({ example }) => example.code.includes(`from '${owner.name}`))
  return own ? [] : [{ where, message: `no example in ${owner.name}'s README imports ${owner.name}` }]
}

const run = async ({ workspace }: Subject) => {
  const { root, packages, files } = workspace
  const violations: Violation[] = []
  const all: Placed[] = []
  for (const owner of packages) {
    const readme = `${owner.folder}/README.md`
    const exists = files.includes(readme)
    rmSync(join(root, owner.folder, FOLDER), { recursive: true, force: true })
    const placed = exists ? place(root, owner.folder, readme, workspace.read(readme)) : []
    violations.push(...incomplete(owner, placed, exists))
    all.push(...placed)
  }
  const paths = all.map(({ file }) => file)
  const output = paths.length > 0 ? await compile(root, paths) : ''
  return { examined: `${all.length} examples`, violations: [...violations, ...translate(output, all)] }
}

/** Each package has a README whose TypeScript examples compile. */
export const readmes: Rule = { name: 'README examples', run }
