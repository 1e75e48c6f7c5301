import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Address } from '@firn/codec'
import { createDevnet, type Devnet, FundedWallet } from '@firn/devnet'
import { PrivateKey, PublicKey } from '@firn/keys'
import { until } from '@firn/runtime/testing'
import { createWallet } from '@firn/wallet'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Started, startFirn } from '../../testing/startFirn.ts'

const folder = mkdtempSync(join(tmpdir(), 'firn-tx-peers-'))
const keys = join(folder, 'keys')
const payload = PublicKey.address(PrivateKey.publicKey(FundedWallet.KEY))
const own = (chain: string) => Address.format({ chain, hrp: 'custom', payload })
let devnet: Devnet
let node: Started
let url = ''
beforeAll(async () => {
  writeFileSync(keys, PrivateKey.format(FundedWallet.KEY))
  devnet = await createDevnet({ validators: 3, networkId: 54_321, buildBlocks: true, buildDelayMs: 1 })
  const { ids, ips } = devnet.bootstrap
  const genesis = ['genesis', 'upgrade'].flatMap((name) => [
    `--${name}-file`,
    `${devnet.rpcUrl}/devnet/${name}.json`,
  ])
  const peers = ['--bootstrap-ids', ids, '--bootstrap-ips', ips]
  const ports = ['--http-port', '0', '--staking-port', '0']
  node = startFirn(['node', '--data-dir', join(folder, 'data'), ...genesis, ...peers, ...ports])
  await until(() => expect(node.lines.at(-1)).toMatch(/Ctrl-C/))
  url = node.lines.join('\n').match(/^node API +(http:\S+)/m)?.[1] ?? ''
})
afterAll(async () => {
  node?.stop()
  await node?.code
  await devnet?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Waits for answers without a limit, because devnet, node and command share this process, which may be slow. */
const patientFetch: typeof fetch = (to, { signal: _limit, ...init } = {}) => fetch(to, init)

/** Runs `firn tx …` with the node that follows peers, and returns its exit code and notes. */
const tx = async (...argv: readonly string[]) => {
  const run = startFirn(['tx', ...argv, '--keys', keys, '--upstream', url], { fetch: patientFetch })
  return { code: await run.code, notes: run.notes.join('\n') }
}
const accepted = { code: 0, notes: expect.stringContaining('accepted ') }

test('imports to and exports from the C-chain through a node that follows peers', async () => {
  expect(await tx('export', `${own('C')}=5`, '--chain', 'P', '--send')).toEqual(accepted)
  expect(await tx('import', '--chain', 'C', '--source', 'P', '--send')).toEqual(accepted)
  const exported = ['export', `${own('P')}=1`, '--chain', 'C']
  expect(await tx(...exported)).toEqual({
    code: 1,
    notes: expect.stringMatching(/nonces are not known .* Pass firn tx --nonce, or --c-chain-rpc/),
  })
  expect(await tx(...exported, '--nonce', '0', '--send')).toEqual(accepted)
  const rpc = `${devnet.rpcUrl}/ext/bc/C/rpc`
  expect(await tx(...exported, '--c-chain-rpc', rpc, '--send')).toEqual(accepted)
  expect(await tx('import', '--chain', 'P', '--source', 'C', '--send')).toEqual(accepted)
  const wallet = createWallet({ url, keys: [FundedWallet.KEY], timeoutMs: 600_000 })
  const amount = 1_000_000_000n
  await wallet.c.exportTo({ chain: 'X', to: own('X'), amount, nonce: 2n })
  await wallet.x.importFrom({ chain: 'C' })
})
