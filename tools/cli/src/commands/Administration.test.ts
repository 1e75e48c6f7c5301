import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as Run from '../Run.ts'

const folder = mkdtempSync(join(tmpdir(), 'firn-administration-'))
const archive = join(folder, 'archive')
const dataDir = join(folder, 'data')
const MAIN = new URL('../main.ts', import.meta.url).pathname

interface Service {
  readonly child: ChildProcess
  readonly url: string
}

/** Starts `firn …` as a separate process. Resolves when the process prints that it is ready. */
const serve = async (...argv: readonly string[]): Promise<Service> => {
  const child = spawn(process.execPath, ['--conditions=source', MAIN, ...argv, '--data-dir', dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let url = ''
  for await (const line of createInterface(child.stdout)) {
    url ||= /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0] ?? ''
    if (/Ctrl-C/.test(line)) break
  }
  return { child, url }
}

const stop = async ({ child }: Service) => {
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await ended
}

/** Runs `firn …` while the services are running, and returns its output. */
const firn = async (...argv: readonly string[]) => {
  const lines: string[] = []
  const notes: string[] = []
  const code = await Run.run([...argv, '--data-dir', dataDir], {
    print: (line) => void lines.push(line),
    note: (line) => void notes.push(line),
    isInteractive: false,
    signal: new AbortController().signal,
  })
  return { code, lines, notes: notes.join('\n') }
}

beforeAll(() => {
  const file = new URL('../../../../services/indexer/vectors/local.json.gz', import.meta.url)
  const { files } = JSON.parse(gunzipSync(readFileSync(file)).toString()) as { files: Record<string, string> }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(archive, path)), { recursive: true })
    writeFileSync(join(archive, path), text)
  }
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe.skipIf(process.platform === 'win32')('while a service runs', { tags: ['unix'] }, () => {
  let service: Service
  beforeAll(async () => {
    service = await serve('data-api', '--from', archive, '--port', '0')
  })
  afterAll(() => stop(service))

  const statusWith = async (key: string) => {
    const headers = { 'x-data-api-key': key }
    return (await fetch(`${service.url}/v1/networks/local/subnets`, { headers })).status
  }

  test('creates, lists and revokes API keys without a network option while a service runs', async () => {
    expect(await statusWith('ac_unknown')).toBe(401)
    const created = await firn('keys', 'create', '--name', 'me')
    expect(created).toMatchObject({ code: 0, lines: [expect.any(String)] })
    const [key = ''] = created.lines
    expect(await statusWith(key)).toBe(200)
    const listed = await firn('keys', 'list')
    expect(listed.lines).toEqual([expect.stringMatching(/ {2}me {2}.* {2}active$/)])
    expect(await firn('keys', 'revoke', key)).toMatchObject({ code: 0 })
    await expect.poll(() => statusWith(key)).toBe(401)
  })

  test('checks the database with firn doctor while a service has it open', async () => {
    expect(await firn('doctor')).toMatchObject({
      code: 0,
      lines: expect.arrayContaining(['nothing is missing']),
    })
  })

  test('writes an archive from the database while a service has it open', async () => {
    expect(await firn('archive', '--to', join(folder, 'again'))).toMatchObject({ code: 0 })
  })

  test('rejects a second service on the same database and names the process to stop', async () => {
    const place = join(dataDir, 'db')
    const why = `firn: ${place} is in use by another process (pid ${service.child.pid}); stop it, or set FIRN_DATABASE_URL`
    for (const command of [
      ['node', '--from', archive, '--http-port', '0'],
      ['index', '--from', archive],
      ['data-api', '--port', '0'],
    ]) {
      expect(await firn(...command)).toMatchObject({ code: 1, notes: expect.stringContaining(why) })
    }
    expect(await statusWith('ac_unknown')).toBe(401)
  })
})

describe.skipIf(process.platform === 'win32')('while a gateway runs', { tags: ['unix'] }, () => {
  const node = createServer(
    (_request, response) => void response.end('{"jsonrpc":"2.0","id":1,"result":"0xa869"}'),
  )
  let gateway: Service
  beforeAll(async () => {
    await new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(node.address() as AddressInfo).port}`
    const limits = ['--credits-per-second', '1', '--burst', '20']
    gateway = await serve('gateway', '--port', '0', '--chain', `43113=${url}`, ...limits)
  })
  afterAll(async () => {
    await stop(gateway)
    node.close()
  })

  const ask = async (token: string) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_call' })
    return (await fetch(`${gateway.url}/rpc/43113/${token}`, { method: 'POST', body })).status
  }

  test('creates, lists and revokes bypass tokens while a gateway runs', async () => {
    const created = await firn('bypass', 'create', '--name', 'explorer')
    expect(created).toMatchObject({ code: 0, lines: [expect.any(String)] })
    const [token = ''] = created.lines
    const listed = await firn('bypass', 'list')
    expect(listed.lines).toEqual([expect.stringMatching(/ {2}explorer {2}no limit {2}.* {2}active$/)])
    await expect.poll(async () => [await ask(token), await ask(token)]).toEqual([200, 200])
    expect(await firn('bypass', 'revoke', 'explorer')).toMatchObject({ code: 0, lines: ['revoked 1'] })
  })

  test('counts the requests of an access log while a gateway runs', async () => {
    const log = join(folder, 'access.ndjson')
    const line = { time: 1_800_000_000, chainId: '1', method: 'eth_call', status: 200, milliseconds: 3 }
    writeFileSync(log, `${JSON.stringify(line)}\n`)
    expect(await firn('usage', 'load', log)).toMatchObject({
      code: 0,
      lines: ['counted 1 requests; skipped 0 lines that were counted before'],
    })
  })
})
