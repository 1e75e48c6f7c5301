// Makes each example of a change in a copy of the repository, with only the files that ARCHITECTURE.md names for it, and
// compiles it. Then leaves out one edit at a time, and prints which files the compiler names.
import { execFileSync, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as Workspace from '../Workspace.ts'
import type { Change, Edit } from './Change.ts'
import { CHANGES } from './examples.ts'

const root = fileURLToPath(new URL('../../../..', import.meta.url))
const workspace = Workspace.open(root)
const copy = mkdtempSync(join(tmpdir(), 'firn-changes-'))

const prepare = () => {
  for (const file of workspace.files) {
    mkdirSync(dirname(join(copy, file)), { recursive: true })
    cpSync(join(root, file), join(copy, file))
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  // Links between packages are relative, so that they lead to the packages of the copy. Compiled files save time.
  for (const { folder } of workspace.packages) {
    for (const name of ['node_modules', 'dist', 'tsconfig.tsbuildinfo']) {
      const [from, to] = [root, copy].map((base) => join(base, folder, name)) as [string, string]
      if (existsSync(from)) cpSync(from, to, { recursive: true, verbatimSymlinks: true })
    }
  }
}

/** Compiles packages. Returns the errors as lines of `file: message`. */
const compile = (folders: readonly string[]): readonly string[] => {
  const { status, stdout, stderr } = spawnSync(join(root, 'node_modules/.bin/tsc'), ['-b', ...folders], {
    cwd: copy,
    encoding: 'utf8',
    maxBuffer: 64 << 20,
  })
  const errors = [...stdout.matchAll(/^(\S.*?)\(\d+,\d+\): error (.*)$/gm)].map(
    ([, file = '', message = '']) => `${file}: ${message}`,
  )
  if (status !== 0 && errors.length === 0) throw new Error(`tsc failed: ${stdout}${stderr}`)
  return errors
}

const read = (path: string): string =>
  existsSync(join(copy, path)) ? readFileSync(join(copy, path), 'utf8') : ''

const make = (edits: readonly Edit[]) => {
  for (const { file, apply } of edits) writeFileSync(join(copy, file), apply(read(file), read))
}

/** Restores all files of the repository and removes the others that edits have created. */
const restore = (edits: readonly Edit[]) => {
  for (const { file } of edits)
    if (workspace.files.includes(file)) cpSync(join(root, file), join(copy, file))
    else rmSync(join(copy, file), { force: true })
}

/** Returns the files of a change that its rows do not name, neither by their path nor beside a named path. */
const unnamed = ({ rows, edits }: Change): readonly string[] => {
  const lines = workspace.read('ARCHITECTURE.md').split('\n')
  const text = lines.filter((line) => rows.some((row) => line.startsWith(`| ${row} |`))).join()
  const isNamed = (file: string) =>
    text.includes(`${dirname(file)}\``) || text.includes(file.slice(file.lastIndexOf('/') + 1))
  return [...new Set(edits.map(({ file }) => file))].filter((file) => !isNamed(file))
}

const generate = ({ generate: step }: Change): void => {
  if (step === undefined) return
  compile(step.after)
  execFileSync(process.execPath, ['--conditions=source', step.script], { cwd: copy, stdio: 'inherit' })
}

const tryChange = (change: Change): boolean => {
  const { name, edits, builds } = change
  const missing = unnamed(change)
  for (const file of missing) console.log(`FAIL  ${name}: ARCHITECTURE.md does not name ${file}`)
  make(edits)
  generate(change)
  const errors = compile(builds)
  for (const error of errors) console.log(`FAIL  ${name}: ${error}`)
  let isGood = missing.length === 0 && errors.length === 0
  for (const left of edits.filter(({ isOptional }) => isOptional !== true)) {
    restore(edits)
    make(edits.filter((edit) => edit !== left))
    const found = compile(builds)
    console.log(`      ${name} without ${left.file}: ${found[0] ?? 'compiles'}`)
    isGood &&= found.length > 0
  }
  restore(edits)
  if (change.generate !== undefined)
    execFileSync('cp', ['-r', join(root, 'packages/client/src/gen/.'), join(copy, 'packages/client/src/gen')])
  console.log(`${isGood ? 'ok  ' : 'FAIL'}  ${name}: ${new Set(edits.map(({ file }) => file)).size} files`)
  return isGood
}

try {
  prepare()
  const wanted = process.argv.slice(2).join(' ')
  const results = CHANGES.filter(({ name }) => name.includes(wanted)).map(tryChange)
  process.exitCode = results.length > 0 && results.every(Boolean) ? 0 : 1
} finally {
  rmSync(copy, { recursive: true, force: true })
}
