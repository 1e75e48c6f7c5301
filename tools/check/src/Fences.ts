import { execFile } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { compiler } from './Consumer.ts'
import type { Violation } from './Rule.ts'

/** A ```ts fence: its code, and the line number at which the code starts. */
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
 * A fence to compile: the folder of its package, and the file and line to name in errors. Each error message
 * starts with a prefix such as the name of the documented function.
 */
export type Placed = {
  readonly folder: string
  readonly file: string
  readonly fence: Fence
  readonly subject?: string
}

/** A fence after it was written to a file. The path of the file ends with `written`. */
export type Written = Placed & { readonly written: string }

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
    // Examples use the built type declarations of packages, as users do. The sources are checked by the build.
    customConditions: [],
    rootDir: relative(at, root),
  },
  include: [],
  files: files.map((file) => relative(at, join(root, file))),
})

/**
 * Runs a TypeScript compiler on a project and returns its messages; empty if there are none. `script` is the
 * path of the compiler's script.
 */
export const runCompiler = async (
  project: string,
  cwd: string,
  script = compiler('typescript').script,
  mode: '-p' | '-b' = '-p',
): Promise<string> => {
  try {
    const options = { cwd, maxBuffer: 16 << 20 }
    await promisify(execFile)(process.execPath, [script, mode, project, '--pretty', 'false'], options)
    return ''
  } catch (cause) {
    const { stdout, message } = cause as { stdout?: string; message: string }
    return stdout || message
  }
}

/**
 * Parses compiler messages of the form `path(line,column): error …`, and maps each to the line of the file
 * that contains the fence.
 */
export const translate = (output: string, written: readonly Written[]): readonly Violation[] =>
  output
    .split('\n')
    .filter((text) => /\berror\b/.test(text))
    .map((text) => {
      const found = /^(.+?)\((\d+),\d+\): error (.*)$/.exec(text)
      const owner = written.find((one) => found?.[1]?.endsWith(one.written))
      if (!found || !owner) return { where: found?.[1] ?? 'examples', message: found?.[3] ?? text }
      const { file, fence, subject } = owner
      return {
        where: `${file}:${fence.line + Number(found[2]) - 1}`,
        message: `${subject ? `${subject}: ` : ''}${found[3] ?? text}`,
      }
    })

/** Writes each fence as a separate module below `root`, in the folder of its package. */
export const write = (root: string, name: string, placed: readonly Placed[]): readonly Written[] => {
  for (const folder of new Set(placed.map((one) => one.folder)))
    rmSync(join(root, folder, name), { recursive: true, force: true })
  return placed.map((one, index) => {
    const written = `${one.folder}/${name}/example-${index + 1}.ts`
    mkdirSync(dirname(join(root, written)), { recursive: true })
    writeFileSync(join(root, written), `${one.fence.code}\nexport {}\n`)
    return { ...one, written }
  })
}

/**
 * Compiles fences next to the sources of their packages and returns the errors. Each fence can therefore
 * import only its own package and the package's dependencies, as in an installed package. The type declarations
 * of the packages must have been built. Callers must use different values of `name`, which is part of the paths
 * of the generated files.
 */
export const compile = async (
  root: string,
  name: string,
  placed: readonly Placed[],
): Promise<readonly Violation[]> => {
  const written = write(root, `.firn/${name}`, placed)
  if (written.length === 0) return []
  const at = join(root, 'tools/check/.firn', name)
  mkdirSync(at, { recursive: true })
  const project = join(at, 'tsconfig.json')
  const files = written.map((one) => one.written)
  writeFileSync(project, JSON.stringify(configuration(files, root, at), null, 2))
  return translate(await runCompiler(project, root), written)
}
