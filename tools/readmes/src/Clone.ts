import { execFile } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { emptyCluster } from '@firn/sql/testing'
import { ReadmesError } from './ReadmesError.ts'

const run = promisify(execFile)

/**
 * Matches the names of environment variables that a command inherits: for the package registry, the proxy and
 * the locale.
 */
const KEPT = /^(npm_config_registry|https?_proxy|no_proxy|node_extra_ca_certs|lang|lc_all|tz|tmpdir)$/i

/** A new git clone with its dependencies installed. */
export interface Clone {
  readonly root: string
  /** All environment variables of a command except HOME. */
  readonly env: Readonly<Record<string, string>>
}

/**
 * Returns the environment of a new user, which contains the system's programs but no program of this
 * checkout.
 */
function blankEnv(root: string): Record<string, string> {
  const kept = Object.entries(process.env).filter(([name]) => KEPT.test(name)) as [string, string][]
  const path = (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => !folder.startsWith(root + sep) && !folder.includes('node_modules'))
  return { ...Object.fromEntries(kept), PATH: path.join(delimiter) }
}

/**
 * Returns the variables that point to previously downloaded packages, so that an install does not download
 * them again.
 */
async function storeEnv(root: string): Promise<Record<string, string>> {
  const settings = existsSync(join(homedir(), '.npmrc'))
    ? { NPM_CONFIG_USERCONFIG: join(homedir(), '.npmrc') }
    : {}
  const pnpm = join(root, 'node_modules/.bin/pnpm')
  const { stdout } = await run(pnpm, ['store', 'path'], { cwd: root }).catch(() => ({ stdout: '' }))
  const store = stdout.trim().replace(/\/v\d+$/, '')
  return store === '' ? settings : { ...settings, pnpm_config_store_dir: store, npm_config_store_dir: store }
}

const PRELOAD = fileURLToPath(new URL('preload.mjs', import.meta.url))

/**
 * Returns the variables that keep commands on loopback and let them start quickly. Almost every block starts with a new
 * database, and copying an empty one is faster than creating it.
 */
const commandEnv = async (): Promise<Record<string, string>> => ({
  NODE_OPTIONS: `--import ${PRELOAD} --max-semi-space-size=64`,
  FIRN_EMPTY_CLUSTER: await emptyCluster(),
})

/**
 * Clones HEAD of the checkout `root` into `folder` and installs its dependencies with the first command.
 * @throws ReadmesError `READMES_SETUP`
 */
export async function create(root: string, folder: string): Promise<Clone> {
  const clone = join(folder, 'firn')
  const home = join(folder, 'home-install')
  mkdirSync(home, { recursive: true })
  const env = blankEnv(root)
  const options = { maxBuffer: 1 << 26, timeout: 600_000 }
  try {
    await run('git', ['clone', '--quiet', root, clone], options)
    const install = { ...env, ...(await storeEnv(root)), HOME: home }
    await run('npm', ['run', 'firn', '--', '--help'], { ...options, cwd: clone, env: install })
  } catch (cause) {
    const { stderr = '' } = cause as { stderr?: string }
    const message = `Could not install the fresh clone: ${stderr.trim() || String(cause)}`
    throw new ReadmesError('READMES_SETUP', message, { cause })
  }
  return { root: clone, env: { ...env, ...(await commandEnv()) } }
}
