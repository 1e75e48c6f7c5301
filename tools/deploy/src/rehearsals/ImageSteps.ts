import { spawn } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { basename, dirname, join, matchesGlob, posix } from 'node:path'
import { DeployError } from '../DeployError.ts'
import * as Dockerfile from '../Dockerfile.ts'
import { ROOT } from '../Repository.ts'

/** Where the image is made: a folder that contains the file system of each stage, and the user of all programs. */
export interface Site {
  readonly folder: string
  /** User and group id for child processes. Undefined if this process has no right to change them. */
  readonly user: number | undefined
  readonly print: (line: string) => void
}

/** The file system of a stage, and what its instructions have set. */
export interface Built {
  readonly root: string
  readonly workdir: string
  readonly environment: Readonly<Record<string, string>>
  readonly stage: Dockerfile.Stage
}

/** Programs that the base images contain, by their path in the image. */
const PROGRAMS: Readonly<Record<string, string>> = { '/nodejs/bin/node': process.execPath }

/** Returns the path on this machine of an absolute path in the image. Other texts are returned unchanged. */
export const locate = ({ root }: Pick<Built, 'root'>, word: string): string =>
  PROGRAMS[word] ?? (word.startsWith('/') ? join(root, word) : word)

/** Removes the right to write to a file or folder. */
export const makeReadOnly = (path: string): void => chmodSync(path, statSync(path).mode & 0o555)

const withoutSlashes = (pattern: string): string => pattern.replace(/^\//, '').replace(/\/$/, '')

/** Returns whether the builder gets a file, by the rules of .dockerignore: the last pattern that matches decides. */
export function isSent(path: string, patterns: readonly string[]): boolean {
  let isIgnored = false
  for (const line of patterns) {
    const pattern = withoutSlashes(line.replace(/^!/, ''))
    const matches = [pattern, `${pattern}/**`].some((one) => matchesGlob(path, one))
    if (matches || pattern === '**') isIgnored = !line.startsWith('!')
  }
  return !isIgnored
}

/** Returns the files that the builder gets, relative to the root of the repository. */
export function context(): readonly string[] {
  const patterns = readFileSync(join(ROOT, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
  const exclude = (path: string) => /(^|\/)(node_modules|\.git)$/.test(path)
  return globSync(['*', '.*', '*/**'], { cwd: ROOT, exclude })
    .filter((path) => statSync(join(ROOT, path)).isFile())
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => isSent(path, patterns))
}

const own = ({ user }: Site, path: string): void => {
  if (user === undefined) return
  chownSync(path, user, user)
  for (const name of globSync('**/*', { cwd: path })) chownSync(join(path, name), user, user)
}

const copy = (
  site: Site,
  built: Built,
  { flags, words }: Dockerfile.Instruction,
  others: readonly Built[],
): void => {
  const target = words.at(-1) ?? ''
  const from = flags['from']
  const source = others.find(({ stage }) => stage.name === from)
  for (const word of words.slice(0, -1)) {
    if (from === undefined) {
      if (word !== '.')
        throw new DeployError('DEPLOY_DOCKERFILE', `only COPY . is rehearsed, got COPY ${word}`)
      for (const file of context()) {
        const to = join(built.root, posix.resolve(built.workdir, target), file)
        mkdirSync(dirname(to), { recursive: true })
        cpSync(join(ROOT, file), to)
      }
      own(site, built.root)
    } else {
      if (source === undefined)
        throw new DeployError('DEPLOY_DOCKERFILE', `COPY names the unknown stage ${from}`)
      cpSync(join(source.root, word), join(built.root, target), { recursive: true, verbatimSymlinks: true })
    }
  }
}

/** Runs a program until it ends, and passes on its output. @throws DeployError `DEPLOY_STEP` if it fails */
export function run(
  site: Site,
  command: readonly [string, ...string[]],
  options: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Promise<void> {
  const [program, ...rest] = command
  const child = spawn(program, rest, { ...options, ...userOf(site), stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => {
      for (const line of output.trim().split('\n').slice(-3)) site.print(`    ${line}`)
      if (code === 0) resolve()
      else
        reject(
          new DeployError(
            'DEPLOY_STEP',
            `${command.join(' ')} exited with ${code}:\n${output.slice(-3_000)}`,
          ),
        )
    })
  })
}

/** Returns the user of child processes, as the options of `spawn`. */
export const userOf = ({ user }: Site) => (user === undefined ? {} : { uid: user, gid: user })

/** Variables of this machine that are required to reach the package registry. */
const REGISTRY = /^(NODE_EXTRA_CA_CERTS|SSL_CERT_(FILE|DIR)|https?_proxy|no_proxy|npm_config_registry)$/i

/** Environment of a blank machine: Node.js and its npm, and a shell. */
const blank = (site: Site): Readonly<Record<string, string>> => {
  const programs = join(site.folder, 'programs')
  const registry = Object.entries(process.env).filter(([name]) => REGISTRY.test(name)) as [string, string][]
  return {
    ...Object.fromEntries(registry),
    PATH: `${programs}:/usr/bin:/bin`,
    HOME: join(site.folder, 'home'),
    CI: 'true',
  }
}

const prepare = (site: Site): void => {
  const programs = join(site.folder, 'programs')
  mkdirSync(programs, { recursive: true })
  symlinkSync(process.execPath, join(programs, 'node'))
  const npm = ['npm', 'npx'].map((name) => findProgram(name))
  for (const path of npm) symlinkSync(path, join(programs, basename(path)))
  mkdirSync(join(site.folder, 'home'))
  own(site, join(site.folder, 'home'))
  chmodSync(site.folder, 0o755)
}

const findProgram = (name: string): string => {
  const folders = (process.env['PATH'] ?? '').split(':').filter((folder) => !folder.includes('node_modules'))
  const found = folders.map((folder) => join(folder, name)).find(existsSync)
  if (found === undefined) throw new DeployError('DEPLOY_STEP', `${name} is not on the path`)
  return found
}

/** Runs the instructions of all stages, and returns the last stage. @throws DeployError */
export async function build(site: Site, text: string): Promise<Built> {
  prepare(site)
  const stages: Built[] = []
  for (const stage of Dockerfile.parse(text)) {
    const root = join(site.folder, `stage-${stages.length}`)
    mkdirSync(root)
    let built: Built = { root, workdir: '/', environment: {}, stage }
    for (const one of stage.instructions) {
      site.print(`${one.keyword} ${one.text}`)
      built = await apply(site, built, one, stages)
    }
    stages.push(built)
  }
  const final = stages.at(-1)
  if (final === undefined) throw new DeployError('DEPLOY_DOCKERFILE', 'the Dockerfile has no stage')
  return final
}

const apply = async (
  site: Site,
  built: Built,
  one: Dockerfile.Instruction,
  others: readonly Built[],
): Promise<Built> => {
  if (one.keyword === 'WORKDIR') {
    const workdir = one.words[0] ?? '/'
    mkdirSync(join(built.root, workdir), { recursive: true })
    own(site, join(built.root, workdir))
    return { ...built, workdir }
  }
  if (one.keyword === 'COPY') copy(site, built, one, others)
  if (one.keyword === 'RUN') {
    const env = { ...blank(site), ...built.environment }
    await run(site, ['sh', '-c', one.text], { cwd: join(built.root, built.workdir), env })
  }
  if (one.keyword === 'ENV') {
    const pairs = one.words.map((word) => word.split(/=(.*)/s) as [string, string])
    return { ...built, environment: { ...built.environment, ...Object.fromEntries(pairs) } }
  }
  return built
}
