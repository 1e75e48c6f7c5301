import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Id } from '@firn/codec'
import { FundedWallet } from '@firn/devnet'
import { EvmAddress } from '@firn/keys'
import { createClient, PlatformMethods } from '@firn/rpc'
import { createWallet } from '@firn/wallet'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type LocalNetwork, startLocalNetwork } from './LocalNetwork.ts'
import { tour } from './tour.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const SCRIPT = fileURLToPath(new URL('../tour.sh', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'tour-'))
const stop = new AbortController()
let network: LocalNetwork

beforeAll(async () => {
  network = await startLocalNetwork(stop.signal)
})
afterAll(async () => {
  stop.abort()
  await network?.close()
  rmSync(folder, { recursive: true })
})

/** Returns the subnet and the weight of an L1 validator. */
const validator = (validationId: string) =>
  createClient(PlatformMethods, { url: `${network.devnet.rpcUrl}/ext/bc/P` }).call(
    'platform.getL1Validator',
    {
      validationID: Id.parse(validationId),
    },
  )

const save = (name: string, content: unknown): string => {
  const path = join(folder, name)
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

/** Lines of a program without comments and empty lines. */
const lines = (path: string) =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^ *(\/?\*|\/\/|#)/.test(line))

describe('tour', () => {
  test('ends with a registered validator', async () => {
    const { validationId } = await tour(network.options)
    expect(await validator(validationId)).toMatchObject({ weight: 20n })
  })

  test('takes at most 60 lines with the wallet, and 11 transactions with firn tx', () => {
    expect(lines(fileURLToPath(new URL('tour.ts', import.meta.url))).length).toBeLessThanOrEqual(60)
    expect(lines(SCRIPT).filter((line) => line.includes('firn tx '))).toHaveLength(11)
  })

  test('works as a script of firn commands', async () => {
    const { options, aggregatorUrl } = network
    const [first, second] = options.nodes
    const { node } = createWallet({ url: options.url, keys: [options.key] })
    const { blockchainIds } = await node.network()
    const { addresses } = createWallet({ url: options.url, keys: [options.key] })
    const [address = ''] = (await addresses()).P
    const firn = `${process.execPath} --conditions=source --import=${ROOT}tools/start/src/bundled.mjs ${ROOT}tools/cli/src/main.ts`
    const accept = `fetch(process.env.NODE + '/devnet/messages', { method: 'POST', body: JSON.stringify({ chain: 'C', message: process.argv[1] }) })`
    const functions = `firn() { ${firn} "$@"; }; send_message() { ${process.execPath} -e "$ACCEPT" "$1"; }`
    const { stdout } = await promisify(execFile)('bash', ['-c', `${functions}; source ${SCRIPT}`], {
      cwd: folder,
      signal: stop.signal,
      env: {
        PATH: process.env['PATH'],
        ACCEPT: accept,
        NODE: options.url,
        NETWORK: '54321',
        KEYS: save('keys', options.key),
        ADDRESS: address.replace('P-', ''),
        ACCOUNT: EvmAddress.format(FundedWallet.EVM_ADDRESS),
        VALIDATOR: options.validator,
        NODES: save('nodes.json', [{ ...first, weight: 100, balance: '1' }]),
        NODE_ID: second.nodeId,
        SIGNER: save('signer.json', { result: { nodePOP: second.signer } }),
        C_CHAIN: Id.format(blockchainIds.C),
        AGGREGATOR: aggregatorUrl,
      },
    })
    const [, validationId = ''] = /^validationId (\S+)$/m.exec(stdout) ?? []
    expect(await validator(validationId)).toMatchObject({ weight: 20n })
  })
})
