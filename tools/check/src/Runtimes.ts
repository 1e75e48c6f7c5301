import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { arch, platform } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** A program that runs JavaScript, installed from the registry under `name`. */
export type Runtime = {
  readonly name: string
  readonly dependency: string
  /** Path of the program in `node_modules`, and the arguments before the script's arguments. */
  readonly command: readonly [string, ...string[]]
  /** The Node version whose packages it can run. */
  readonly node: string
}

const node = (version: string): Runtime => ({
  name: `node-${version}`,
  dependency: `npm:node-${platform()}-${arch()}@${version}`,
  command: [`node-${version}/bin/node`],
  node: version,
})

/** The runtimes that users may have. Bun and Deno implement the API of a recent Node version. */
export const RUNTIMES = {
  node20: node('20.19'),
  node22: node('22'),
  node24: node('24'),
  bun: { name: 'bun', dependency: '^1', command: ['.bin/bun'], node: '24' },
  deno: { name: 'deno', dependency: '^2', command: ['.bin/deno', 'run', '--allow-all'], node: '24' },
} as const satisfies Readonly<Record<string, Runtime>>

/** Returns whether a runtime has the Node version that a package needs at least, such as `>=22.18`. */
export const supports = ({ node }: Runtime, least: string): boolean =>
  // `22` is the newest version 22.
  `${node}.999`.localeCompare(least.replace('>=', ''), 'en', { numeric: true }) >= 0

const TIMEOUT_MS = 300_000

/** Runs a command and resolves to its output. The error of a failed command contains its output. */
export const run = async (cwd: string, command: string, args: readonly string[]): Promise<string> => {
  const { stdout } = await promisify(execFile)(command, args, {
    cwd,
    timeout: TIMEOUT_MS,
    maxBuffer: 16 << 20,
  })
  return stdout
}

/** Runs a script with a runtime that is installed in `folder`. */
export const runScript = (
  folder: string,
  { command: [program, ...before] }: Runtime,
  script: readonly string[],
): Promise<string> => run(folder, join(folder, 'node_modules', program), [...before, ...script])

/** Creates a project and installs its dependencies with npm. */
export const install = async (
  folder: string,
  dependencies: Readonly<Record<string, string>>,
): Promise<void> => {
  mkdirSync(folder, { recursive: true })
  const manifest = { private: true, type: 'module', dependencies }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
  await run(folder, 'npm', [
    'install',
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
    // The programs of runtimes are placed by their install scripts.
    '--foreground-scripts',
    '--loglevel=error',
  ])
}
