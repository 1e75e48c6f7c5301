import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { Store, Writer } from '@firn/store'
import { Recordings } from '@firn/store/testing'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'

const PROGRAM = fileURLToPath(new URL('bin.ts', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'firn-data-api-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const start = (...args: readonly string[]) => {
  const child = spawn(process.execPath, ['--conditions=source', PROGRAM, ...args])
  onTestFinished(() => void child.kill('SIGKILL'))
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const notes = text(child.stderr)
  return { child, result: async () => ({ code: await ended, notes: await notes }) }
}

describe('firn-data-api', () => {
  it('serves a database that another process has filled, until a signal arrives', async () => {
    const { genesis, constants, chains } = Recordings.load('local')
    const { networkId } = genesis
    const store = await Store.open({ folder: join(folder, 'db'), networkId })
    await store.migrate()
    const { writer, state } = await Writer.open(store, genesis, constants)
    await writer.commit([...Recordings.follow(state, chains)].slice(0, 20))
    const { height } = (await store.snapshot()).P
    await store.close()
    const { child, result } = start('--data-dir', folder, '--port', '0')
    let out = ''
    child.stdout.on('data', (chunk) => {
      out += String(chunk)
    })
    await expect.poll(() => out).toContain('Press Ctrl-C to stop')
    const [, url] = /curl -s '(\S+)\/subnets'/.exec(out) ?? []
    const answer = await fetch(`${url}/blockchains/p-chain/blocks?pageSize=1`)
    expect(await answer.json()).toMatchObject({ blocks: [{ blockNumber: String(height) }] })
    child.kill('SIGTERM')
    expect(await result()).toMatchObject({ code: 0 })
  })

  it('says how to fill an empty database', async () => {
    const { code, notes } = await start('--data-dir', join(folder, 'empty'), '--port', '0').result()
    expect([code, notes]).toEqual([1, expect.stringContaining('Fill it with firn index')])
  })
})
