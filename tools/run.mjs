// Runs every npm script. It requires only Node 20.19 or later: it installs missing dependencies, then runs
// the task through turbo, with the workspace's own Node and pnpm first in PATH.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { reportSkipped } from './skipped.mjs'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const bin = join(root, 'node_modules', '.bin')
const marker = join(root, 'node_modules', '.firn-installed')
/** Results of the last run of the tests. */
const results = join(root, '.firn', 'vitest.json')
const windows = process.platform === 'win32'

/** Arguments with which Node.js runs a program from its bundle, or from its sources if they have changed since. */
const bundled = (...path) => [
  '--conditions=source',
  `--import=${pathToFileURL(join(root, 'tools', 'bundled.mjs'))}`,
  join(root, ...path),
]
const firn = bundled('tools', 'cli', 'src', 'main.ts')
/**
 * Jobs by npm script. `tasks` run through turbo. `direct` runs in the folder from which npm was called, without turbo,
 * because its results cannot be cached and it may need the terminal. `paths`: arguments may be paths relative to that
 * folder.
 */
const jobs = {
  start: { direct: [...firn, 'start'] },
  firn: { direct: firn },
  openapi: { direct: ['--conditions=source', join(root, 'tools', 'openapi', 'src', 'writeClientSource.ts')] },
  observability: {
    direct: ['--conditions=source', join(root, 'tools', 'deploy', 'src', 'observability', 'writeFiles.ts')],
  },
  options: { direct: ['--conditions=source', join(root, 'tools', 'cli', 'src', 'writeOptionTables.ts')] },
  relayer: { direct: bundled('examples', 'relayer', 'src', 'main.ts') },
  tour: { direct: bundled('examples', 'tour', 'src', 'main.ts') },
  test: { direct: [join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'run', '--root', root] },
  check: { tasks: ['types', 'lint', 'check'], flags: ['--continue'] },
  build: { tasks: ['types', 'bundle'] },
  bench: { tasks: ['bench'], flags: ['--filter=@firn/bench', '--log-prefix=none'] },
  api: {
    direct: ['--conditions=source', join(root, 'tools', 'check', 'src', 'main.ts'), '--write-api'],
  },
  diagrams: {
    direct: ['--conditions=source', join(root, 'tools', 'check', 'src', 'main.ts'), '--write-diagrams'],
  },
  structure: {
    direct: ['--conditions=source', join(root, 'tools', 'check', 'src', 'main.ts'), '--structure'],
  },
  installs: { tasks: ['installs'], flags: ['--log-prefix=none'] },
  conformance: { tasks: ['conformance'], flags: ['--log-prefix=none'], paths: true },
  fuzz: { tasks: ['fuzz'], flags: ['--log-prefix=none'] },
  mutants: { direct: ['--conditions=source', join(root, 'tools', 'mutants', 'src', 'main.ts')] },
  node: { direct: ['--conditions=source'] },
  docs: { direct: ['--conditions=source', join(root, 'docs', 'src', 'main.ts')] },
  soak: { direct: ['--conditions=source', join(root, 'tools', 'bench', 'src', 'soak', 'main.ts')] },
  rehearse: { direct: ['--conditions=source', join(root, 'tools', 'deploy', 'src', 'main.ts')] },
  readmes: { tasks: ['readmes'], flags: ['--log-prefix=none'] },
}

/** Commands that `npm start --` accepts as its first argument. */
const SERVICES = ['demo', 'node', 'data-api', 'up', 'evm']

const fail = (sentence) => {
  console.error(`firn: ${sentence}`)
  process.exit(1)
}

const assertNode = () => {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > 20 || (major === 20 && minor >= 19)) return
  fail(
    `needs Node 20.19 or later to start (this is ${process.versions.node}); get one from https://nodejs.org.`,
  )
}

/** Returns the files on which the result of an install depends. */
const manifests = () => {
  const folders = ['packages', 'services', 'apps', 'tools', 'examples'].filter((name) =>
    existsSync(join(root, name)),
  )
  const inside = folders.flatMap((folder) =>
    readdirSync(join(root, folder))
      .sort()
      .map((name) => `${folder}/${name}/package.json`),
  )
  return ['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml', 'docs/package.json', ...inside]
}

const installHash = () => {
  const hash = createHash('sha256').update(`${process.platform}-${process.arch}`)
  for (const name of manifests()) {
    const path = join(root, name)
    if (existsSync(path)) hash.update(`\0${name}\0`).update(readFileSync(path))
  }
  return hash.digest('hex')
}

const isInstalled = (hash) =>
  existsSync(marker) && readFileSync(marker, 'utf8') === hash && existsSync(join(bin, 'turbo'))

/**
 * Waits for a child process and returns its exit code. Forwards signals as SIGTERM, because turbo assumes
 * that an interrupt also reaches its tasks. Does not forward SIGINT at a terminal, because Ctrl-C already
 * reaches the whole process group.
 */
const supervise = (child) => {
  const atTerminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      if (signal !== 'SIGINT' || !atTerminal) child.kill('SIGTERM')
    })
  }
  // A signal that ends npm also ends its shell, but not this process. A changed parent process id shows that
  // this happened.
  const parent = process.ppid
  const orphaned = setInterval(() => {
    if (!process.env.npm_lifecycle_event || process.ppid === parent) return
    clearInterval(orphaned)
    child.kill('SIGTERM')
  }, 500)
  return new Promise((settle, reject) => {
    child.on('error', reject)
    child.on('close', () => clearInterval(orphaned))
    child.on('close', (code, signal) => settle(code ?? 128 + constants.signals[signal]))
  })
}

const offline =
  /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT/

const install = async () => {
  console.error('firn: installing dependencies (only when they changed; about a minute the first time)')
  const child = spawn('npx', ['-y', 'pnpm@12', 'install', '--frozen-lockfile'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: windows,
    // Without a terminal, pnpm cannot ask whether to replace node_modules. With CI=true, it does not ask.
    env: { ...process.env, CI: 'true' },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text
    })
  }
  const code = await supervise(child).catch((error) => {
    fail(`could not run npx (${error.message}); is npm installed?`)
  })
  if (code === 0) return
  if (code > 128) process.exit(code)
  if (offline.test(output)) fail('could not install dependencies: the package registry cannot be reached.')
  console.error(output.trimEnd().split('\n').slice(-25).join('\n'))
  fail(`could not install dependencies: pnpm exited with ${code}.`)
}

/** Bundles the programs, so that they start quickly until a source changes. */
const bundle = async () => {
  const child = spawn(join(bin, 'node'), [join(root, 'tools', 'bundle.mjs')], {
    stdio: 'inherit',
    shell: windows,
  })
  const code = await supervise(child).catch((error) => fail(`could not run node (${error.message}).`))
  if (code !== 0) process.exit(code)
}

/** Folder from which npm was called. npm changes to the root before it runs a script. */
const called = process.env.INIT_CWD ?? process.cwd()

const absolute = (argument) => {
  const path = resolve(called, argument)
  return !argument.startsWith('-') && existsSync(path) ? path : argument
}

const main = async (name, rest) => {
  assertNode()
  const given = rest[0] === '--' ? rest.slice(1) : rest
  // `npm start -- node …` and similar commands start another service instead of the aggregator.
  const job = jobs[name === 'start' && SERVICES.includes(given[0]) ? 'firn' : name]
  if (!job) fail(`unknown task ${JSON.stringify(name)}; known: ${Object.keys(jobs).join(', ')}.`)
  const hash = installHash()
  if (!isInstalled(hash)) {
    await install()
    await bundle()
    mkdirSync(dirname(marker), { recursive: true })
    writeFileSync(marker, hash)
  }
  const [program, before] = job.direct
    ? ['node', job.direct]
    : ['turbo', ['run', ...job.tasks, ...(job.flags ?? []), '--']]
  const child = spawn(join(bin, program), [...before, ...(job.paths ? given.map(absolute) : given)], {
    cwd: job.direct ? called : root,
    stdio: 'inherit',
    shell: windows,
    env: {
      ...process.env,
      PATH: `${bin}${delimiter}${process.env.PATH}`,
      // Stripping the types from sources and compiling them takes half of a command's start time, so the
      // compiled code is cached.
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(root, 'node_modules', '.node-compile-cache'),
      TURBO_TELEMETRY_DISABLED: '1',
      DO_NOT_TRACK: '1',
    },
  })
  process.exitCode = await supervise(child).catch((error) =>
    fail(`could not run ${program} (${error.message}).`),
  )
  // Arguments select some tests. All other tests then count as skipped and are not reported.
  if (name !== 'test' || given.length > 0 || !existsSync(results)) return
  if (reportSkipped(JSON.parse(readFileSync(results, 'utf8')).testResults, process.env))
    process.exitCode ||= 1
}

await main(process.argv[2], process.argv.slice(3))
