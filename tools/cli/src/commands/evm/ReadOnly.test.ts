import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { createDemo, startLocalEvm } from '@firn/demo-chain'
import { TestPostgres } from '@firn/sql/testing'
import { afterEach, describe, expect, test } from 'vitest'
import { freePort } from './freePort.ts'

const MAIN = fileURLToPath(new URL('../../main.ts', import.meta.url))
const CHAIN_ID = 779

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

/** Starts a process of `firn evm` and collects its output. */
function begin(evmUrl: string, databaseUrl: string) {
  const ports = ['--port', '0', '--gateway-port', '0']
  const argv = [MAIN, 'evm', '--chain', evmUrl, '--database-url', databaseUrl, ...ports]
  const child: ChildProcess = spawn(process.execPath, ['--conditions=source', ...argv])
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (part: string) => {
      text += part
    })
  }
  const ended = new Promise<number | null>((settle) => child.once('close', settle))
  ends.push(() => child.kill('SIGKILL'))
  return {
    text: () => text,
    url: () => /Data API\s+(\S+)/.exec(text)?.[1] ?? '',
    ended,
    end: () => {
      child.kill('SIGTERM')
      return ended
    },
  }
}

describe.skipIf(TestPostgres.missing() !== undefined)('read-only database', { tags: ['postgres'] }, () => {
  test('serves a read-only database without changing it until SIGTERM, and rejects one without tables', async () => {
    const server = await TestPostgres.start()
    ends.push(() => server.close())
    const options = { port: await freePort(), chainId: CHAIN_ID, genesisTime: 1_790_000_000 }
    const evm = await startLocalEvm({ ...options, signal: new AbortController().signal })
    ends.push(() => evm.close())
    await createDemo(evm.url, options.genesisTime + 10)
    const readOnly = `${server.url}&options=${encodeURIComponent('-c default_transaction_read_only=on')}`

    const refused = begin(evm.url, readOnly)
    expect(await refused.ended).toBe(1)
    expect(refused.text()).toContain('the database is read-only')

    const writing = begin(evm.url, server.url)
    await expect.poll(writing.text).toContain('Press Ctrl-C')
    expect(await writing.end()).toBe(0)

    const reading = begin(evm.url, readOnly)
    await expect.poll(reading.text).toContain('Press Ctrl-C')
    const { blocks } = (await (await fetch(`${reading.url()}/v1/chains/${CHAIN_ID}/blocks`)).json()) as {
      blocks: unknown[]
    }
    expect(blocks.length).toBeGreaterThan(0)
    await expect.poll(reading.text).toContain('the database is read-only')
    expect(await (await fetch(`${reading.url()}/metrics`)).text()).toMatch(
      /firn_evm_standby\{chain="779"\} 1/,
    )
    expect(await reading.end()).toBe(0)
  })
})
