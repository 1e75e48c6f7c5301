// Installs the dependencies when they have changed.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fail, supervise, WINDOWS } from './supervise.mjs'

const FOLDERS = ['packages', 'services', 'apps', 'tools', 'examples']
const MARKER = 'node_modules/.firn-installed'
const OFFLINE =
  /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT/

/**
 * Returns the files on which the result of an install depends, relative to the root.
 * @param {string} root
 */
const manifests = (root) => {
  const inside = FOLDERS.filter((name) => existsSync(join(root, name))).flatMap((folder) =>
    readdirSync(join(root, folder))
      .sort()
      .map((name) => `${folder}/${name}/package.json`),
  )
  return ['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml', 'docs/package.json', ...inside]
}

/**
 * Returns a hash that changes when the dependencies must be installed again.
 * @param {string} root
 */
export const hashManifests = (root) => {
  const hash = createHash('sha256').update(`${process.platform}-${process.arch}`)
  for (const name of manifests(root)) {
    const path = join(root, name)
    if (existsSync(path)) hash.update(`\0${name}\0`).update(readFileSync(path))
  }
  return hash.digest('hex')
}

/**
 * Returns whether the dependencies with this hash are installed.
 * @param {string} root
 * @param {string} hash
 */
export const isInstalled = (root, hash) => {
  const marker = join(root, MARKER)
  const isMarked = existsSync(marker) && readFileSync(marker, 'utf8') === hash
  return isMarked && existsSync(join(root, 'node_modules/.bin/turbo'))
}

/**
 * Records that the dependencies with this hash are installed.
 * @param {string} root
 * @param {string} hash
 */
export const markInstalled = (root, hash) => {
  const marker = join(root, MARKER)
  mkdirSync(dirname(marker), { recursive: true })
  writeFileSync(marker, hash)
}

/**
 * Installs the dependencies. Ends this process if that fails.
 * @param {string} root
 */
export const install = async (root) => {
  console.error('firn: installing dependencies (only when they changed; about a minute the first time)')
  const child = spawn('npx', ['-y', 'pnpm@12', 'install', '--frozen-lockfile'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: WINDOWS,
    // Without a terminal, pnpm cannot ask whether to replace node_modules. With CI=true, it does not ask.
    env: { ...process.env, CI: 'true' },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text
    })
  }
  const code = await supervise(child).catch((error) =>
    fail(`could not run npx (${error.message}); is npm installed?`),
  )
  if (code === 0) return
  if (code > 128) process.exit(code)
  if (OFFLINE.test(output)) fail('could not install dependencies: the package registry cannot be reached.')
  console.error(output.trimEnd().split('\n').slice(-25).join('\n'))
  fail(`could not install dependencies: pnpm exited with ${code}.`)
}
