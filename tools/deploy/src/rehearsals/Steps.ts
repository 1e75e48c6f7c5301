import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { DeployError } from '../DeployError.ts'
import { ROOT } from '../Repository.ts'

/** Prints a line. */
export type Print = (line: string) => void

const start = promisify(execFile)

/** Runs a program in a folder, by default the repository, and returns its output. @throws DeployError `DEPLOY_STEP` */
export const run = async (program: string, args: readonly string[], cwd = ROOT): Promise<string> => {
  try {
    return (await start(program, args, { cwd, maxBuffer: 64 << 20 })).stdout.trim()
  } catch (error) {
    throw new DeployError('DEPLOY_STEP', `${program} ${args.join(' ')} failed:\n${(error as Error).message}`)
  }
}

/** Returns the arguments with which Node.js runs a source file of a checkout. */
export const source = (path: string, root = ROOT): readonly string[] => [
  '--conditions=source',
  join(root, path),
]

/** Runs a `firn` command and returns its output. @throws DeployError `DEPLOY_STEP` if it fails */
export const firn = (...args: readonly string[]): Promise<string> =>
  run(process.execPath, [...source('tools/cli/src/main.ts'), ...args])

/** @throws DeployError `DEPLOY_STEP` if the texts differ */
export const assertEqual = (what: string, expected: string, actual: string): void => {
  if (expected !== actual)
    throw new DeployError('DEPLOY_STEP', `${what} differs:\nexpected ${expected}\ngot ${actual}`)
}
