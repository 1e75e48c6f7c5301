import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { gunzipSync } from 'node:zlib'
import * as Runtimes from './Runtimes.ts'

const PACKAGE = 'node_modules/@firn/cli'
const START_MS = 120_000

/** Writes the recorded network that the package contains as an archive, and returns its folder. */
const unpackArchive = (folder: string): string => {
  const vectors = readFileSync(join(folder, PACKAGE, 'tools/demo-network/vectors/local.json.gz'))
  const { files } = JSON.parse(gunzipSync(vectors).toString()) as {
    readonly files: Readonly<Record<string, string>>
  }
  const archive = join(folder, 'archive')
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(archive, path)), { recursive: true })
    writeFileSync(join(archive, path), text)
  }
  return archive
}

/** A service to start from the installed package. */
type Service = {
  readonly args: readonly string[]
  /** Finds the service's URL in a line of its output. */
  readonly url: RegExp
  /** Asks the service and resolves to whether its answer is right. */
  ask(url: string): Promise<boolean>
}

const getJson = async (url: string, body?: object): Promise<unknown> => {
  const init = body && {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }
  return (await fetch(url, init)).json()
}

const height = async (url: string): Promise<number> => {
  const body = { jsonrpc: '2.0', id: 1, method: 'platform.getHeight', params: {} }
  const { result } = (await getJson(url, body)) as { readonly result: { readonly height: string } }
  return Number(result.height)
}

const services = (archive: string, data: string): readonly Service[] => [
  {
    args: ['devnet', '--rpc-port', '0'],
    url: /"rpcUrl":"([^"]+)"/,
    ask: async (url) => (await height(`${url}/ext/bc/P`)) >= 0,
  },
  {
    args: ['node', '--from', archive, '--data-dir', join(data, 'node'), '--http-port', '0'],
    url: /^node API +(http\S+)/,
    ask: async (url) => (await height(`${url}/ext/bc/P`)) > 0,
  },
  {
    args: ['data-api', '--from', archive, '--data-dir', join(data, 'data-api'), '--port', '0'],
    url: /(http:\/\/127\.0\.0\.1:\d+)/,
    ask: async (url) => {
      const path = '/v1/networks/local/blockchains/p-chain/transactions?pageSize=2'
      const { transactions = [] } = (await getJson(`${url}${path}`)) as { transactions?: unknown[] }
      return transactions.length === 2
    },
  },
]

/** Resolves to the URL that a service prints. */
const findUrl = async (child: ChildProcess, pattern: RegExp): Promise<string> => {
  const lines: string[] = []
  const timer = setTimeout(() => child.kill('SIGKILL'), START_MS)
  try {
    if (child.stdout === null) throw new Error('the service has no output')
    for await (const line of createInterface(child.stdout)) {
      lines.push(line)
      const [, url] = pattern.exec(line) ?? []
      if (url !== undefined) return url
    }
    throw new Error(`the service printed no URL:\n${lines.join('\n')}`)
  } finally {
    clearTimeout(timer)
  }
}

const serve = async (folder: string, runtime: Runtimes.Runtime, service: Service): Promise<void> => {
  const program = join(folder, 'node_modules', runtime.command[0])
  const child = spawn(program, [join(PACKAGE, 'firn.js'), ...service.args], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  try {
    const url = await findUrl(child, service.url)
    child.stdout?.resume()
    if (!(await service.ask(url))) throw new Error(`firn ${service.args[0]}: unexpected answer from ${url}`)
    child.kill('SIGTERM')
    const [code, signal] = await ended
    if (code !== 0) throw new Error(`firn ${service.args[0]} ended with ${code ?? signal}`)
    console.log(`firn ${service.args[0]}: answers and ends`)
  } finally {
    child.kill('SIGKILL')
  }
}

/** Runs the `firn` command of the package that is installed in `folder`. */
export const check = async (folder: string): Promise<void> => {
  const { version } = JSON.parse(readFileSync(join(folder, PACKAGE, 'package.json'), 'utf8'))
  const { node20, node22, node24 } = Runtimes.RUNTIMES
  for (const runtime of [node22, node24]) {
    const firn = (...args: readonly string[]) =>
      Runtimes.runScript(folder, runtime, [join(PACKAGE, 'firn.js'), ...args])
    if ((await firn('--version')).trim() !== version) throw new Error('firn --version prints another version')
    if (!(await firn('--help')).includes('data-api')) throw new Error('firn --help does not list data-api')
    console.log(`${runtime.name}: firn --version, firn --help`)
  }
  const refused = await Runtimes.runScript(folder, node20, [join(PACKAGE, 'firn.js'), '--version']).catch(
    String,
  )
  if (!refused.includes('firn needs Node 22.18 or later')) throw new Error(`Node 20.19: ${refused}`)
  const archive = unpackArchive(folder)
  for (const service of services(archive, join(folder, 'data'))) await serve(folder, node24, service)
}
