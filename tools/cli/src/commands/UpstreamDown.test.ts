import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream'
import { Store, Writer } from '@firn/store'
import { Recordings } from '@firn/store/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as Run from '../Run.ts'
import { type Databases, startDatabases } from '../testing/databases.ts'
import { type Growing, startGrowing, unusedPort } from '../testing/growing.ts'

const { genesis, constants, chains } = Recordings.load('local')
const root = mkdtempSync(join(tmpdir(), 'firn-upstream-down-'))
let databases: Databases
let upstreams: Record<'primary' | 'evm', Growing>
beforeAll(async () => {
  databases = await startDatabases(root)
  upstreams = { primary: await startGrowing('primary', 1_000), evm: await startGrowing('evm', 10) }
})
afterAll(async () => {
  await Promise.all([upstreams.primary.close(), upstreams.evm.close()])
  await databases.close()
  rmSync(root, { recursive: true, force: true })
})

const start = (argv: readonly string[]) => {
  const lines: string[] = []
  const controller = new AbortController()
  const take = (line: string) => void lines.push(line)
  const terminal = { print: take, note: take, isInteractive: false, signal: controller.signal }
  const ended = Run.run([...argv], terminal)
  return {
    lines,
    /** Returns the URL in the first output line that matches `words`. */
    url: async (words: RegExp): Promise<string> => {
      const find = () => lines.find((line) => words.test(line))?.match(/http:[^\s"',]+/)?.[0]
      await Promise.race([expect.poll(find).toBeTruthy(), ended])
      return find() ?? expect.fail(lines.join('\n'))
    },
    stop: async () => {
      controller.abort()
      return ended
    },
  }
}

/** Makes an upstream available on a port, until it is closed. */
const connectUpstream = async (kind: keyof typeof upstreams, port: number) => {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    const upstream = connect(Number(new URL(upstreams[kind].url).port), '127.0.0.1')
    for (const one of [socket, upstream]) {
      sockets.add(one)
      one.on('error', () => undefined)
    }
    pipeline(socket, upstream, socket, () => undefined)
  }).listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    close: async () => {
      server.close()
      for (const socket of sockets) socket.destroy()
      await once(server, 'close')
    },
  }
}

const get = async (url: string) => {
  const answer = await fetch(url)
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}

const heightOf = async (nodeUrl: string): Promise<unknown> => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'platform.getHeight', params: {} })
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`${nodeUrl}/ext/bc/P`, { method: 'POST', headers, body })
  return ((await answer.json()) as { result: { height: string } }).result.height
}

/** Creates a data folder with the first blocks of the recorded network and returns its path. */
const filled = async (name: string): Promise<string> => {
  const folder = join(root, name)
  const store = await Store.open({ folder: join(folder, 'db'), networkId: genesis.networkId })
  await store.migrate()
  const { writer, state } = await Writer.open(store, genesis, constants)
  await writer.commit([...Recordings.follow(state, chains)].slice(0, 60))
  await store.close()
  return folder
}

describe('started while the upstream is down', () => {
  test('serves stored data with firn node while the upstream is down, and follows the upstream once it is back', async () => {
    const [dataDir, port] = [await filled('node'), await unusedPort()]
    const argv = [
      'node',
      '--data-dir',
      dataDir,
      '--http-port',
      '0',
      '--staking-port',
      '0',
      '--health-check-frequency',
      '1s',
    ]
    const node = start([...argv, '--upstream', `http://127.0.0.1:${port}`, '--poll-interval', '50'])
    const url = await node.url(/^node API /)
    expect(Number(await heightOf(url))).toBeGreaterThan(0)
    const health = () => get(`${url}/ext/health`)
    await expect.poll(() => health().then(({ body }) => JSON.stringify(body))).toMatch(/degraded: /)
    expect((await health()).status).toBe(503)
    // What the alert NodeUpstreamsDown compares.
    const upstreamHealthy = async () => {
      const text = await (await fetch(`${url}/ext/metrics`)).text()
      return /^firn_node_upstream_healthy\{url="[^"]+"\} (\d)$/m.exec(text)?.[1]
    }
    await expect.poll(upstreamHealthy).toBe('0')
    const upstream = await connectUpstream('primary', port)
    await expect.poll(() => heightOf(url)).toBe('85')
    await expect.poll(upstreamHealthy).toBe('1')
    await expect.poll(() => health().then(({ status }) => status)).toBe(200)
    expect(await node.stop()).toBe(0)
    await upstream.close()
  })

  test('serves stored data with firn data-api and firn up while the upstream is down, then follows the upstream', async () => {
    const [dataDir, port] = [await filled('up'), await unusedPort()]
    const flags = ['--data-dir', dataDir, '--upstream', `http://127.0.0.1:${port}`, '--poll-interval', '50']
    const content = Buffer.from('{"networkID":12345}').toString('base64')
    const api = start(['data-api', ...flags, '--port', '0', '--genesis-file-content', content])
    const apiUrl = await api.url(/^Data API /)
    await expect
      .poll(() => get(`${apiUrl}/health`))
      .toMatchObject({
        status: 200,
        body: {
          status: 'degraded',
          problems: expect.arrayContaining([expect.stringContaining('ECONNREFUSED')]),
        },
      })
    expect(
      (await get(`${apiUrl}/v1/networks/local/blockchains/p-chain/transactions?pageSize=1`)).status,
    ).toBe(200)
    expect(await api.stop()).toBe(0)

    const ports = ['--http-port', '0', '--data-port', '0', '--aggregator-port', '0']
    const up = start(['up', ...flags, ...ports])
    const [nodeUrl, dataUrl] = [await up.url(/^node API /), await up.url(/^Data API /)]
    expect(Number(await heightOf(nodeUrl))).toBeGreaterThan(0)
    const health = () => get(`${dataUrl}/health`)
    await expect.poll(health).toMatchObject({ body: { status: 'degraded' } })
    const upstream = await connectUpstream('primary', port)
    await expect.poll(health).toMatchObject({ body: { status: 'up', heights: { P: '85' } } })
    expect(await up.stop()).toBe(0)
    await upstream.close()
  })

  test('serves the stored chain with firn evm while its nodes are down', async () => {
    const [database, port] = [await databases.create('evm'), await unusedPort()]
    const argv = ['evm', ...database, '--port', '0', '--gateway-port', '0']
    const flags = ['--chain', `http://127.0.0.1:${port}`]
    const upstream = await connectUpstream('evm', port)
    const first = start([...argv, ...flags])
    const firstUrl = await first.url(/^Data API /)
    const at = (url: string) => get(`${url}/health`).then(({ body }) => body)
    const chain = (height: number) => ({ chains: { 31337: { height: String(height) } } })
    await expect.poll(() => at(firstUrl)).toMatchObject({ status: 'up', ...chain(9) })
    expect(await first.stop()).toBe(0)
    await upstream.close()

    const second = start([...argv, ...flags])
    const url = await second.url(/^Data API /)
    await expect.poll(() => at(url)).toMatchObject({ status: 'degraded', ...chain(9) })
    expect((await get(`${url}/v1/chains/31337/blocks?pageSize=2`)).status).toBe(200)
    upstreams.evm.grow(12)
    const back = await connectUpstream('evm', port)
    await expect.poll(() => at(url)).toMatchObject({ status: 'up', ...chain(11) })
    expect(await second.stop()).toBe(0)
    await back.close()
  })

  test('returns 503 from firn evm on an empty database until the chain is stored', async () => {
    const port = await unusedPort()
    const argv = ['evm', ...(await databases.create('empty')), '--port', '0', '--gateway-port', '0']
    const evm = start([...argv, '--chain', `31337=http://127.0.0.1:${port}`])
    const url = await evm.url(/^Data API /)
    const blocks = await fetch(`${url}/v1/chains/31337/blocks`)
    expect([blocks.status, blocks.headers.get('retry-after')]).toEqual([503, '1'])
    expect((await get(`${url}/v1/chains/4/blocks`)).status).toBe(404)
    expect((await get(`${url}/health`)).status).toBe(503)
    const upstream = await connectUpstream('evm', port)
    await expect.poll(() => fetch(`${url}/v1/chains/31337/blocks`).then(({ status }) => status)).toBe(200)
    expect(await evm.stop()).toBe(0)
    await upstream.close()
  })
})
