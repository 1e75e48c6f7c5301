import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createConfiguration } from './configuration/Configuration.ts'
import { createAggregatorService } from './Service.ts'

const RESULTS: Readonly<Record<string, unknown>> = {
  'info.getNetworkID': { networkID: '12345' },
  'info.peers': { numPeers: '0', peers: [] },
  'platform.getHeight': { height: '9' },
  'platform.getProposedHeight': { height: '8' },
  'platform.getValidatorsAt': { 'NodeID-111111111111111111116DBWJs': { publicKey: null, weight: '5' } },
}

/** Fake node API of a network that has no other nodes. */
const node = createServer((request, response) => {
  let body = ''
  request.on('data', (chunk) => {
    body += chunk
  })
  request.on('end', () => {
    const { id, method } = JSON.parse(body)
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result: RESULTS[method] }))
  })
})
let nodeUrl = ''
let folder = ''

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'firn-aggregator-'))
  await new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve))
  const address = node.address()
  nodeUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
})
afterAll(() => {
  node.close()
  rmSync(folder, { recursive: true })
})

function configuration(options: Parameters<typeof createConfiguration>[0] = {}) {
  return createConfiguration({ pChainApi: nodeUrl, apiPort: 0, logLevel: 'off', ...options })
}

describe('createAggregatorService', () => {
  it('listens, reports that no validator is connected, and stops when it is closed', async () => {
    const service = await createAggregatorService(configuration())
    expect(service).toMatchObject({
      networkId: 12345,
      metricsUrl: undefined,
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    })
    const health = await fetch(`${service.url}/health`)
    expect([health.status, await health.json()]).toMatchObject([
      503,
      { network: 'local', upstream: { status: 'up', proposedHeight: '8' } },
    ])
    await service.close()
    await expect(fetch(`${service.url}/health`)).rejects.toThrow()
  })

  it('serves metrics and health on a separate port if configured', async () => {
    const port = await freePort()
    const service = await createAggregatorService(configuration({ metricsPort: port }))
    expect(service.metricsUrl).toBe(`http://127.0.0.1:${port}`)
    const metrics = await (await fetch(`${service.metricsUrl}/metrics`)).text()
    expect(metrics).toContain('process_cpu_seconds_total')
    expect(metrics).toMatch(
      /signature_aggregator_upstream_request_seconds_count\{upstream="[^"]+",outcome="ok"\} [1-9]/,
    )
    expect((await fetch(`${service.metricsUrl}/aggregate-signatures`, { method: 'POST' })).status).toBe(404)
    await service.close()
  })

  it('creates an identity at the first start and reuses it later', async () => {
    const files = { tlsCertPath: join(folder, 'staker.crt'), tlsKeyPath: join(folder, 'staker.key') }
    const read = () => [readFileSync(files.tlsCertPath, 'utf8'), readFileSync(files.tlsKeyPath, 'utf8')]
    await (await createAggregatorService(configuration(files))).close()
    const [certificate, key] = read()
    expect([certificate, key]).toEqual([
      expect.stringContaining('BEGIN CERTIFICATE'),
      expect.stringContaining('BEGIN PRIVATE KEY'),
    ])
    expect(statSync(files.tlsKeyPath).mode & 0o777).toBe(0o600)
    await (await createAggregatorService(configuration(files))).close()
    expect(read()).toEqual([certificate, key])
  })

  it.each<[name: string, options: Parameters<typeof createConfiguration>[0], says: RegExp]>([
    [
      'another network',
      { network: 'fuji' },
      /^network: expected an upstream of fuji, got one of local \(network id 12345\)$/,
    ],
  ])('rejects %s with a one-sentence error', async (_name, options, says) => {
    await expect(createAggregatorService(configuration(options))).rejects.toMatchObject({
      code: 'AGGREGATOR_CONFIGURATION',
      message: expect.stringMatching(says),
    })
  })

  it('rejects a listen address of another machine before it sends a request to the upstream', async () => {
    const options = configuration({ host: '203.0.113.7', pChainApi: 'http://127.0.0.1:9' })
    await expect(createAggregatorService(options)).rejects.toMatchObject({
      code: 'HTTP_PORT',
      message: '203.0.113.7 is not an address of this machine. Pass --host <address>.',
    })
  })

  it('rejects invalid identity files', async () => {
    const path = join(folder, 'nothing.pem')
    writeFileSync(path, 'nothing')
    await expect(
      createAggregatorService(configuration({ tlsCertPath: path, tlsKeyPath: path })),
    ).rejects.toMatchObject({
      code: 'AGGREGATOR_CONFIGURATION',
      message: expect.stringMatching(/^tls-cert-path and tls-key-path: /),
    })
  })
})

describe('process', () => {
  const start = (argv: readonly string[]) =>
    spawn(process.execPath, ['--conditions=source', new URL('./bin.ts', import.meta.url).pathname, ...argv], {
      env: { PATH: process.env['PATH'] ?? '' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })

  it('prints one line when it listens, serves requests, and exits with status 0 on SIGTERM', async () => {
    const child = start(['--p-chain-api', nodeUrl, '--api-port', '0', '--log-level', 'off'])
    const ended = once(child, 'exit')
    const [line] = await once(child.stdout, 'data')
    const url = /^firn-aggregator \S+ listens on (http:\/\/127\.0\.0\.1:\d+) for network 12345\n$/.exec(
      String(line),
    )?.[1]
    expect(url, String(line)).toBeDefined()
    expect((await fetch(`${url}/openapi.json`)).status).toBe(200)
    child.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
  })

  it.each(['--api-port', '--metrics-port'])(
    'exits with status 1 if the port of %s is in use',
    async (option) => {
      const { port } = new URL(nodeUrl)
      const rest = [
        '--p-chain-api',
        nodeUrl,
        '--log-level',
        'off',
        ...(option === '--api-port' ? [] : ['--api-port=0']),
      ]
      const child = start([...rest, option, port])
      const [text, [status]] = await Promise.all([readAll(child), once(child, 'exit')])
      expect(text).toBe(
        `firn-aggregator: Port ${port} at 127.0.0.1 is in use. Pass ${option} <port>, or stop the process that listens on it.\n`,
      )
      expect(status).toBe(1)
    },
  )

  it('prints one sentence and exits with status 2 if the configuration is invalid', async () => {
    const child = start(['--api-port', 'x'])
    const [text, [status]] = await Promise.all([readAll(child), once(child, 'exit')])
    expect([text, status]).toEqual([
      'firn-aggregator: --api-port: expected a whole number from 0 to 65535, got "x". See firn-aggregator --help.\n',
      2,
    ])
  })
})

async function readAll(child: ChildProcess): Promise<string> {
  let text = ''
  for await (const chunk of child.stderr ?? []) text += chunk
  return text
}

async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const address = probe.address()
  await new Promise((resolve) => probe.close(resolve))
  return typeof address === 'object' ? (address?.port ?? 0) : 0
}
