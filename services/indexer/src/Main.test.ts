import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { EvmStore } from '@firn/evm-store'
import { Store } from '@firn/store'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { VERSION } from './common/Version.ts'
import { temporaryFolder, unpack } from './testing/archives.ts'
import { createEvmNode } from './testing/EvmNode.ts'
import { token } from './testing/reliableToken.ts'
import { extend } from './testing/transferChain.ts'

const PROGRAM = fileURLToPath(new URL('bin.ts', import.meta.url))
const { folder, remove } = temporaryFolder()
afterAll(remove)

const start = (...args: readonly string[]) => {
  const child = spawn(process.execPath, ['--conditions=source', PROGRAM, ...args])
  onTestFinished(() => void child.kill('SIGKILL'))
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const [out, notes] = [text(child.stdout), text(child.stderr)]
  return { child, result: async () => ({ code: await ended, out: await out, notes: await notes }) }
}

describe('firn-indexer', () => {
  it('prints its version', async () => {
    expect(await start('--version').result()).toEqual({ code: 0, out: `${VERSION}\n`, notes: '' })
  })

  it('indexes an archive into an embedded database', async () => {
    const [archive, dataDir] = [join(folder, 'archive'), join(folder, 'data')]
    unpack('local', archive)
    const { result } = start('primary', '--from', archive, '--data-dir', dataDir)
    expect(await result()).toMatchObject({ code: 0, out: 'P 85, X 35, C 83, stopped\n' })
    const store = await Store.open({ folder: join(dataDir, 'db'), networkId: 12_345 })
    onTestFinished(() => store.close())
    expect((await store.snapshot()).P.height).toBe(85n)
  })

  it('indexes an EVM chain until a signal arrives, and reports its health', async () => {
    const blocks = extend([], 5, { name: 'program' })
    const node = await createEvmNode({ chainId: 31_337n, blocks, call: token })
    onTestFinished(() => node.close())
    const { child, result } = start('evm', '--chain', node.url, '--data-dir', folder, '--metrics-port', '0')
    let notes = ''
    child.stderr.on('data', (chunk) => {
      notes += String(chunk)
    })
    const url = () => /metrics and health on (\S+)/.exec(notes)?.[1]
    await expect.poll(url).toBeDefined()
    const health = async () => (await fetch(`${url()}/health`)).json()
    const head = Number(blocks.at(-1)?.block['number'])
    await expect.poll(health).toMatchObject({
      status: 'up',
      chains: { 31337: { phase: 'tip', height: `${head}`, head: `${head}` } },
    })
    expect(await (await fetch(`${url()}/metrics`)).text()).toContain('firn_evm_')
    child.kill('SIGTERM')
    expect(await result()).toMatchObject({ code: 0, out: 'Press Ctrl-C to stop\n' })
    const store = await EvmStore.open({ folder: join(folder, 'evm-31337'), chainId: 31_337n })
    onTestFinished(() => store.close())
    expect((await store.snapshot()).height).toBe(BigInt(head))
  })

  it('rejects a command without a source', async () => {
    const { code, notes } = await start('primary').result()
    expect([code, notes]).toEqual([2, expect.stringContaining('nothing to index: pass --network mainnet')])
  })
})
