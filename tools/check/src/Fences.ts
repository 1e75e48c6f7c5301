import { execFile } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Violation } from './Rule.ts'

/** One ```ts fence: its code, and the line of the text where the code starts. */
export type Fence = { readonly code: string; readonly line: number }

/** Returns the TypeScript fences of a Markdown text. */
export const inMarkdown = (markdown: string): readonly Fence[] =>
  [...markdown.matchAll(/^```(?:ts|typescript)\b[^\n]*\n([\s\S]*?)^```/gm)].map((found) => ({
    code: found[1] ?? '',
    line: markdown.slice(0, found.index).split('\n').length + 1,
  }))

/** Returns the TypeScript fences of a documentation comment, without the asterisk at the start of each line. */
export const inComment = (comment: string): readonly Fence[] =>
  inMarkdown(comment.replaceAll(/^[ \t]*\*(?!\/) ?/gm, ''))

/**
 * A fence to compile: the folder of its package, the file and line that errors name, and what stands before each
 * message, such as the name of the function that the fence documents.
 */
export type Placed = {
  readonly folder: string
  readonly file: string
  readonly fence: Fence
  readonly subject?: string
}

type Written = Placed & { readonly written: string }

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

const compiler = fileURLToPath(new URL('../node_modules/.bin/tsc', import.meta.url))

/** Returns what a TypeScript compiler prints about a project, empty if it finds nothing. */
export const runCompiler = async (project: string, cwd: string, binary = compiler): Promise<string> => {
  try {
    await promisify(execFile)(binary, ['-p', project, '--pretty', 'false'], { cwd, maxBuffer: 16 << 20 })
    return ''
  } catch (cause) {
    const { stdout, message } = cause as { stdout?: string; message: string }
    return stdout || message
  }
}

/** Compiler messages `path(line,column): error …`, moved to the line of the file that holds the fence. */
const translate = (output: string, written: readonly Written[]): readonly Violation[] =>
  output
    .split('\n')
    .filter((text) => /\berror\b/.test(text))
    .map((text) => {
      const found = /^(.+?)\((\d+),\d+\): error (.*)$/.exec(text)
      const owner = written.find((one) => found?.[1]?.endsWith(one.written))
      if (!found || !owner) return { where: 'examples', message: text }
      const { file, fence, subject } = owner
      return {
        where: `${file}:${fence.line + Number(found[2]) - 1}`,
        message: `${subject ? `${subject}: ` : ''}${found[3] ?? text}`,
      }
    })

/**
 * Compiles fences, each as a module of its own beside the sources of its package, so that it resolves what an installed
 * package would: itself and its dependencies. `name` keeps the generated files of two callers apart.
 */
export const compile = async (
  root: string,
  name: string,
  placed: readonly Placed[],
): Promise<readonly Violation[]> => {
  const at = join(root, 'tools/check/.firn', name)
  for (const folder of new Set(placed.map((one) => one.folder)))
    rmSync(join(root, folder, '.firn', name), { recursive: true, force: true })
  const written = placed.map((one, index) => {
    const path = `${one.folder}/.firn/${name}/example-${index + 1}.ts`
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), `${one.fence.code}\nexport {}\n`)
    return { ...one, written: path }
  })
  if (written.length === 0) return []
  mkdirSync(at, { recursive: true })
  const project = join(at, 'tsconfig.json')
  const files = written.map((one) => one.written)
  writeFileSync(project, JSON.stringify(configuration(files, root, at), null, 2))
  return translate(await runCompiler(project, root), written)
}
