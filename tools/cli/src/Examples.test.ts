import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { type Browser, startBrowser } from '@firn/browser'
import { Hex, Id } from '@firn/codec'
import { createDataApi } from '@firn/data-api'
import { startWarpChain, type WarpChain } from '@firn/demo-chain'
import { FundedWallet } from '@firn/devnet'
import { recordedStore } from '@firn/store/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as Run from './Run.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
/** The examples run on the Node of the workspace, which is the first one in PATH for scripts of npm. */
const PATH = process.env['PATH']

const stop = new AbortController()
const started: ChildProcess[] = []
let running: Promise<number>
let env: Readonly<Record<string, string | undefined>>
let browser: Browser
let dataApi: Awaited<ReturnType<typeof createDataApi>>

beforeAll(async () => {
  const lines: string[] = []
  const isUp = Promise.withResolvers<void>()
  const print = (line: string) => {
    lines.push(line)
    if (line === 'Press Ctrl-C to stop') isUp.resolve()
  }
  const terminal = { print, note: () => undefined, isInteractive: false, signal: stop.signal }
  running = Run.run(['start', '--build-blocks', '--rpc-port', '0', '--api-port', '0'], terminal)
  await Promise.race([isUp.promise, running])
  const urlOf = (name: string) => lines.join('\n').match(new RegExp(`^${name} +(http:\\S+)`, 'm'))?.[1]
  env = {
    PATH,
    HOME: process.env['HOME'],
    NODE_URL: urlOf('devnet'),
    AGGREGATOR_URL: urlOf('aggregator'),
    PORT: '0',
    INTERVAL_MS: '50',
  }
  browser = await startBrowser()
  const served = { store: await recordedStore('local'), chains: [], aggregateStatus: 'auto' } as const
  const limits = { limits: undefined, timeoutMs: 600_000, version: '0' }
  dataApi = await createDataApi({ host: '127.0.0.1', port: 0, ...served, ...limits })
})

afterAll(async () => {
  for (const child of started) child.kill()
  await browser?.close()
  await dataApi?.close()
  stop.abort()
  await running
})

/** Starts an example with the command that its README names. */
function start(name: string, args: readonly string[] = [], variables: Record<string, string> = {}) {
  const prefix = `examples/${name}`
  expect(readFileSync(join(ROOT, prefix, 'README.md'), 'utf8')).toContain(`npm --prefix ${prefix} start`)
  const child = spawn('npm', ['--prefix', prefix, 'start', '--silent', '--', ...args], {
    cwd: ROOT,
    env: { ...env, ...variables },
  })
  started.push(child)
  return child
}

/** Runs an example to its end. Returns what it printed, and its exit code. */
async function run(name: string, args?: readonly string[], variables?: Record<string, string>) {
  const child = start(name, args, variables)
  const exited = new Promise<number | null>((settle) => child.once('close', settle))
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { output, errors, code: await exited }
}

/** Waits until a running example has printed something that matches. Returns the match. */
function printed({ stdout, stderr }: ReturnType<typeof start>, expected: RegExp): Promise<RegExpExecArray> {
  return new Promise((settle, reject) => {
    let output = ''
    for (const stream of [stdout, stderr]) {
      stream.on('data', (chunk) => {
        output += chunk
        const found = expected.exec(output)
        if (found !== null) settle(found)
      })
      stream.once('close', () => reject(new Error(`expected ${expected}, got ${output}`)))
    }
  })
}

describe('examples', () => {
  test('signs and verifies a message', async () => {
    const { output, errors, code } = await run('aggregate-and-verify')
    expect([errors, code]).toEqual(['', 0])
    expect(output).toMatch(/^valid +4 signers with 8000000000000000 of 10000000000000000$/m)
    const message = /^signed message +(\S+)$/m.exec(output)?.[1] ?? ''

    const [, url = ''] = await printed(start('verify-handler'), /(http:\S+)/)
    const post = async (signedMessage: string) => {
      const headers = { 'content-type': 'application/json' }
      const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ signedMessage }) })
      return [response.status, await response.json()]
    }
    expect(await post(message)).toEqual([200, expect.objectContaining({ ok: true })])
    const forged = `${message.slice(0, -2)}00`
    expect(await post(forged)).toEqual([422, expect.objectContaining({ ok: false })])
    expect(await post('00')).toEqual([422, expect.objectContaining({ code: 'CODEC_TRUNCATED' })])
    const elsewhere = `${message.slice(0, 12)}${'ab'.repeat(32)}${message.slice(76)}`
    expect(await post(elsewhere)).toEqual([422, expect.objectContaining({ code: 'RPC_REMOTE' })])
    expect(await post('no hex')).toEqual([400, expect.anything()])

    const [, page = ''] = await printed(start('browser-verifier', ['--serve=127.0.0.1:0']), /(http:\S+)/)
    const read = (signed: string) => {
      const query = new URLSearchParams({ node: env['NODE_URL'] ?? '', message: signed })
      return browser.read(`${page}?${query}`, /valid:|failed:/)
    }
    expect(await read(message)).toContain('valid: 80 % of the weight of subnet 1111')
    expect(await read(forged)).toContain('not valid: ')
    expect(await read('no hex')).toContain('failed: ')
  })

  test('stakes, creates an L1, and watches both', async () => {
    const watcher = start('watch-validators')
    await printed(watcher, /^5 validators/)
    const isSeen = printed(watcher, /NodeID-\w+ changed its weight from (\d+) to (\d+)/)
    const staked = await run('stake')
    expect([staked.errors, staked.code]).toEqual(['', 0])
    expect(staked.output).toMatch(/^delegated +25 AVAX to NodeID-\w+ for 15 days/m)
    expect(staked.output).toMatch(/^delegators +1 with a reward of 0\.\d+ AVAX/m)
    const [, before = '', after = ''] = await isSeen
    expect(BigInt(after) - BigInt(before)).toBe(25_000_000_000n)

    const created = await run('create-l1')
    expect([created.errors, created.code]).toEqual(['', 0])
    expect(created.output).toMatch(/^registered +NodeID-\w+ as \w+$/m)
    const subnetId = /^subnet +(\w+)$/m.exec(created.output)?.[1] ?? ''

    const well = await run('quorum-alert', [subnetId])
    expect([well.output.split('\n').at(-2), well.code]).toEqual([
      'ok  160 of 160 can sign for 7 more days, the quorum is 67 %',
      0,
    ])
    // After 2,000 days, the second validator has no balance.
    const hook = await startWebhook()
    const alarm = await run('quorum-alert', [subnetId], { DAYS: '2000', WEBHOOK_URL: hook.url })
    expect([alarm.output.split('\n').at(-2), alarm.code]).toEqual([
      'AT RISK  100 of 160 can sign for 2000 more days, the quorum is 67 %',
      1,
    ])
    expect(await hook.body).toContain(`L1 ${subnetId}: 100 of 160`)
  })

  test('creates an L1 by a transaction to the Warp precompile', async () => {
    const node = await startNode(env['NODE_URL'] ?? '')
    const { output, errors, code } = await run('create-l1', [], { NODE_URL: node.url })
    await node.close()
    expect([errors, code]).toEqual(['', 0])
    expect(output).toMatch(/^registered +NodeID-\w+ as \w+$/m)
    expect(node.messages).toHaveLength(1)
  })

  test('shows an address', async () => {
    const [, page = ''] = await printed(start('address-page', ['--serve=127.0.0.1:0']), /(http:\S+)/)
    const shown = await browser.read(`${page}?api=${dataApi.url}`, /\d transactions|failed:/)
    expect(shown).toMatch(/available\d+\.?\d* AVAX/)
    expect(shown).toMatch(/\d{4}-\d\d-\d\dT[\d:.]+Z\w+Tx\w{40}/)
    const wrong = await browser.read(`${page}?api=${dataApi.url}&address=nobody`, /\d transactions|failed:/)
    expect(wrong).toContain('failed: ')
  })
})

/** Starts a node without the API of a devnet, whose C-chain has an EVM. `messages` are those that its contracts sent. */
async function startNode(devnetUrl: string) {
  const tell = (body: object) =>
    fetch(`${devnetUrl}/devnet/messages`, { method: 'POST', body: JSON.stringify(body) })
  const { chains } = (await (await fetch(`${devnetUrl}/devnet`)).json()) as { chains: { C: string } }
  const messages: string[] = []
  let isTold: Promise<unknown> = Promise.resolve()
  const onMessage = (bytes: Uint8Array) => {
    const message = Hex.encode(bytes)
    messages.push(message)
    isTold = tell({ chain: 'C', message })
  }
  const given = { chainId: 43_112, networkId: 12_345, blockchainId: Id.parse(chains.C) }
  const chain: WarpChain = await startWarpChain({
    ...given,
    nodeUrl: devnetUrl,
    onMessage,
    signal: stop.signal,
  })
  const send = (url: string, body: string) =>
    fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  const balance = [Hex.encode(FundedWallet.EVM_ADDRESS), '0xde0b6b3a7640000']
  const funding = { jsonrpc: '2.0', id: 1, method: 'anvil_setBalance', params: balance }
  await send(chain.rpcUrl, JSON.stringify(funding))
  const server = createServer(async (request, response) => {
    const { url = '' } = request
    if (url.startsWith('/devnet')) {
      response.writeHead(404).end()
      return
    }
    const isEvm = url === '/ext/bc/C/rpc'
    const answer = await send(isEvm ? chain.rpcUrl : `${devnetUrl}${url}`, await text(request))
    // The devnet's validators know a message before the sender sees its transaction.
    await isTold
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
  })
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle))
  const close = async () => {
    server.close().closeAllConnections()
    await chain.close()
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, messages, close }
}

/** Starts a server that takes one request. `body` is the request's body. */
async function startWebhook(): Promise<{ readonly url: string; readonly body: Promise<string> }> {
  const received = Promise.withResolvers<string>()
  const server = createServer((request, response) => {
    received.resolve(text(request))
    response.end()
    server.close()
  })
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, body: received.promise }
}
