import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ProofOfPossession, SecretKey, Signature } from '@firn/bls'
import { Address, Hex, Id, NodeId } from '@firn/codec'
import { createDevnet, type Devnet, FundedWallet } from '@firn/devnet'
import { PrivateKey } from '@firn/keys'
import { createClient, PlatformMethods } from '@firn/rpc'
import { L1Message, Payload, SignedMessage, UnsignedMessage } from '@firn/warp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as Run from '../../Run.ts'
import { SUMMARIES } from './Names.ts'
import { commandOf } from './Operations.ts'
import { WALLET } from './Setting.ts'

const DAY = 86_400
const folder = mkdtempSync(join(tmpdir(), 'firn-operations-'))
const save = (name: string, content: unknown): string => {
  const text = typeof content === 'string' ? content : JSON.stringify(content)
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}
const keys = save('keys', PrivateKey.format(FundedWallet.KEY))

let devnet: Devnet
let reach: readonly string[]

beforeAll(async () => {
  const settings = { buildBlocks: true, buildDelayMs: 1, proposedLagMs: 0 }
  devnet = await createDevnet({ validators: 2, networkId: 54_321, ...settings })
  await devnet.warm()
  reach = ['--upstream', devnet.rpcUrl, '--keys', keys]
})

afterAll(async () => {
  await devnet?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Runs `firn tx …` with an upstream and keys, and returns its lines. */
const tx = async (...argv: readonly string[]) => {
  const out: string[] = []
  const notes: string[] = []
  const code = await Run.run(['tx', ...argv], {
    print: (line) => out.push(line),
    note: (line) => notes.push(line),
    isInteractive: false,
    signal: new AbortController().signal,
  })
  return { code, out, notes: notes.join('\n') }
}

/** Sends a transaction, and returns the values that the command prints, by name. */
const send = async (...argv: readonly string[]): Promise<Readonly<Record<string, string>>> => {
  const { code, out, notes } = await tx(...argv, ...reach, '--send')
  expect({ code, notes }).toEqual({ code: 0, notes: expect.stringContaining('accepted ') })
  return Object.fromEntries(out.map((line) => line.split(' ')))
}

/** Says what a transaction would do. */
const dryRun = async (...argv: readonly string[]) => (await tx(...argv, ...reach, '--dry-run')).out.join('\n')

const platform = () => createClient(PlatformMethods, { url: `${devnet.rpcUrl}/ext/bc/P` })
const address = (byte: number, chain = 'P') =>
  Address.format({ chain, hrp: 'custom', payload: new Uint8Array(20).fill(byte) })
const nodeId = (byte: number) => NodeId.format(new Uint8Array(20).fill(byte))
const blsKey = (seed: number) => SecretKey.generate(new Uint8Array(32).fill(seed))
const pop = (seed: number) => {
  const key = blsKey(seed)
  const publicKey = Hex.encode(SecretKey.publicKey(key).compressed)
  return { publicKey, proofOfPossession: Hex.encode(ProofOfPossession.sign(key).compressed) }
}
const inDays = (days: number) => new Date(Date.now() + days * DAY * 1_000).toISOString()

describe('commands of operations', () => {
  test('refuses stakes below the limits of the network, unless options name others', async () => {
    const stake = ['delegate', '--node-id', nodeId(1), '--end', inDays(2)]
    expect((await tx(...stake, '--stake', '24', ...reach)).notes).toMatch(
      /at least 25 AVAX, the limit for a delegator on this network, got 24 AVAX\. .*--min-validator-stake/,
    )
    const short = ['delegate', '--node-id', nodeId(1), '--end', inDays(0.5), '--stake', '25', ...reach]
    expect((await tx(...short)).notes).toContain('a period of at least 86400 seconds')
    const lower = ['--min-delegator-stake', '1', '--min-stake-duration', '1h']
    expect((await tx(...short, ...lower, '--dry-run')).code).toBe(0)
  })

  test('has no option with the name of a common option', () => {
    const common: Readonly<Record<string, { readonly help: string }>> = WALLET
    const names = Object.keys({ ...SUMMARIES.P, ...SUMMARIES.X })
    const changed = names.flatMap((name) =>
      Object.entries(commandOf(name).options)
        .filter(([key, { help }]) => key in common && common[key]?.help !== help)
        .map(([key]) => `${name}: ${key}`),
    )
    expect(names).toHaveLength(20)
    expect(changed).toEqual([])
  })

  test('creates and changes a subnet', async () => {
    const { subnetId = '' } = await send('create-subnet')
    const [, validator] = devnet.validators
    const who = ['--subnet-id', subnetId, '--node-id', validator?.nodeIdText ?? '']
    await send('add-subnet-validator', ...who, '--weight', '20', '--end', inDays(2))
    await send('remove-subnet-validator', ...who)
    const content = save('genesis.json', '{}')
    const { blockchainId = '' } = await send(
      ...['create-chain', '--subnet-id', subnetId, '--name', 'trial', '--genesis', content],
      ...['--vm-id', Id.format(Id.hash(Uint8Array.of(1)))],
    )
    expect(Id.parse(blockchainId)).toHaveLength(32)
    const two = `2:${address(1)}+${address(2)}`
    await send('transfer-subnet-ownership', '--subnet-id', subnetId, '--owner', two)
    const subnet = await platform().call('platform.getSubnet', { subnetID: Id.parse(subnetId) })
    expect(subnet).toMatchObject({ threshold: 2 })
  })

  test('adds validators and changes a renewal', async () => {
    const signer = save('node.json', { result: { nodeID: nodeId(7), nodePOP: pop(7) } })
    const terms = ['--stake', '2000', '--delegation-fee', '2.5', '--signer', signer]
    const once = ['add-validator', '--node-id', nodeId(7), ...terms, '--end', inDays(30)]
    expect(await dryRun(...once)).toMatch(
      /adds the validator .*\ntakes 2\.5 % of the rewards .*\n(.*\n)*stakes 2000 AVAX of P-custom/,
    )
    await send(...once)
    const [validator] = (
      await platform().call('platform.getCurrentValidators', {
        nodeIDs: [NodeId.parse(nodeId(7))],
      })
    ).validators
    expect(validator?.weight).toBe(2_000_000_000_000n)
    // The devnet refuses renewals, because its network has not activated Helicon.
    const renewed = ['--period', '14d', '--compounded', '50', '--node-id', nodeId(8)]
    expect(await dryRun('add-auto-renewed-validator', ...terms, ...renewed)).toMatch(
      /for periods of 1209600 s.*\nstakes 50 % of the rewards again, and takes 2\.5 %/,
    )
    const txId = Id.format(Id.hash(Uint8Array.of(2)))
    const end = ['--tx-id', txId, '--period', '0', '--compounded', '0']
    const own = Address.format({ chain: 'P', hrp: 'custom', payload: FundedWallet.ADDRESS })
    const ended = await dryRun('set-auto-renewed-config', ...end, '--current-owner', own)
    expect(ended).toContain(`ends the renewal of the validator of ${txId}`)
    expect(ended).toContain(`needs the signatures of ${own}`)
    const unknown = await tx('set-auto-renewed-config', ...end, ...reach)
    expect(unknown).toMatchObject({ code: 1, notes: expect.stringContaining('platform.getTx') })
  })

  test('manages an L1 and its validators', async () => {
    const { subnetId = '' } = await send('create-subnet')
    const manager = new Uint8Array(20).fill(0xab)
    const chain = ['--name', 'trial', '--genesis', '0x7b7d', '--vm-id', Id.format(Id.hash(Uint8Array.of(1)))]
    const { blockchainId: chainId = '' } = await send('create-chain', '--subnet-id', subnetId, ...chain)
    const first = {
      nodeID: nodeId(1),
      weight: 100,
      balance: '1.5',
      nodePOP: pop(1),
      deactivatedBy: address(3),
    }
    const { validationIds = '' } = await send(
      ...['convert-to-l1', '--subnet-id', subnetId, '--chain-id', chainId],
      ...['--manager-address', Hex.encode(manager), '--validators', JSON.stringify([first])],
    )
    expect(Id.parse(validationIds)).toHaveLength(32)
    // Messages are verified with the validators at the start of the epoch before the last block.
    for (let epochs = 0; epochs < 2; epochs++) {
      devnet.passTime(600_000)
      await send('transfer', `${address(5)}=0.1`)
    }
    const owner = { threshold: 1, addresses: [FundedWallet.ADDRESS] }
    const signed = (message: L1Message.L1Message) => save('signed', signedBy(1, chainId, manager, message))
    const register = signed({
      type: 'RegisterL1Validator',
      subnetID: Id.parse(subnetId),
      nodeID: NodeId.parse(nodeId(2)),
      blsPublicKey: Hex.decodeAny(pop(2).publicKey),
      expiry: BigInt(Math.floor(devnet.nowMs() / 1_000) + 3_600),
      remainingBalanceOwner: owner,
      disableOwner: owner,
      weight: 20n,
    })
    const given = ['--message', register, '--proof-of-possession', JSON.stringify(pop(2)), '--balance', '2']
    expect(await dryRun('register-l1-validator', ...given)).toMatch(
      /registers the L1 validator NodeID-\S+ with weight 20 .* balance of 2 AVAX(.*\n)*pays a fee of 0\.0\d+ AVAX, and 2 AVAX for the balances/,
    )
    const { validationId = '' } = await send('register-l1-validator', ...given)
    const weight = {
      type: 'L1ValidatorWeight',
      validationID: Id.parse(validationId),
      nonce: 0n,
      weight: 30n,
    } as const
    await send('set-l1-validator-weight', '--message', signed(weight))
    await send('increase-balance', '--validation-id', validationId, '--balance', '0.5')
    const read = () => platform().call('platform.getL1Validator', { validationID: Id.parse(validationId) })
    expect(await read()).toMatchObject({ weight: 30n })
    expect((await read()).balance).toBeGreaterThan(2_400_000_000n)
    await send('disable', '--validation-id', validationId)
    expect((await read()).balance).toBe(0n)
  })

  test('creates, mints, transfers and burns assets', async () => {
    const own = Address.format({ chain: 'X', hrp: 'custom', payload: FundedWallet.ADDRESS })
    const minters = ['--minters', own, '--token-minters', own, '--property-minters', own]
    const named = ['--name', 'Trial', '--symbol', 'TRY', '--denomination', '2']
    await send('export', `${own}=3`)
    await send('import', '--chain', 'X', '--source', 'P')
    const { assetId = '' } = await send('create-asset', ...named, '--holders', `${own}=100`, ...minters)
    const of = ['--asset-id', assetId]
    await send('mint', ...of, '--amount', '50')
    await send('transfer', `${address(5, 'X')}=120`, ...of)
    await send('mint-token', ...of, '--payload', '0x0102')
    expect(await dryRun('transfer-token', ...of, '--to', address(5, 'X'))).toContain('transfers a token')
    await send('transfer-token', ...of, '--to', address(5, 'X'))
    await send('mint-property', ...of)
    await send('burn-property', ...of)
    expect(await tx('burn-property', ...of, ...reach)).toMatchObject({ code: 1 })
  })

  test('delegates what was built, signed and issued on different machines', async () => {
    const [validator] = devnet.validators
    const from = Address.format({ chain: 'P', hrp: 'custom', payload: FundedWallet.ADDRESS })
    const what = ['--node-id', validator?.nodeIdText ?? '', '--stake', '25', '--end', inDays(15)]
    const built = await tx('delegate', ...what, '--from', from, '--upstream', devnet.rpcUrl)
    const draft = save('draft.json', built.out.join('\n'))
    const before = (await tx('decode', draft)).out
    expect(before.join('\n')).toContain(`delegates to ${validator?.nodeIdText} on the subnet 1111`)
    expect(before).toContain(`stakes 25 AVAX of ${from}`)
    expect(before.at(-1)).toBe(`needs the signatures of ${from}`)
    const signed = save('signed.json', (await tx('sign', draft, '--keys', keys, '--json')).out.join('\n'))
    const after = (await tx('decode', signed)).out
    expect(after.slice(-2)).toEqual([`signed by ${from}`, expect.stringMatching(/^id \S+$/)])
    const { out, code } = await tx('issue', signed, '--upstream', devnet.rpcUrl)
    expect({ out, code }).toEqual({ out: [after.at(-1)?.replace('id', 'txId')], code: 0 })
  })

  test.each([
    ['a missing option', ['create-chain'], /--subnet-id <id> is missing|--subnet-id/],
    ['a malformed id', ['disable', '--validation-id', 'x'], /--validation-id: expected an id in cb58/],
    ['a malformed NodeID', ['delegate', '--node-id', 'x'], /--node-id: expected a NodeID/],
    ['a malformed time', ['delegate', '--end', 'soon'], /--end: expected Unix seconds, a time such as/],
    ['an unknown command', ['fly'], /unknown command "fly"/],
  ])('reports %s as a usage error in one line', async (_, argv, expected) => {
    const { code, out, notes } = await tx(...argv)
    expect({ code, out }).toEqual({ code: 2, out: [] })
    expect(notes).toMatch(expected)
    expect(notes).toMatch(/^[^\n]*See firn tx.* --help\.$/)
  })
})

/** Returns a message of an L1's manager, signed by the L1's only validator, in hex. */
function signedBy(
  seed: number,
  chainId: string,
  sourceAddress: Uint8Array,
  message: L1Message.L1Message,
): string {
  const payload = Payload.encode({ type: 'AddressedCall', sourceAddress, payload: L1Message.encode(message) })
  const unsigned = { networkID: devnet.networkId, sourceChainID: Id.parse(chainId), payload }
  const signature = Signature.sign(blsKey(seed), UnsignedMessage.encode(unsigned)).compressed
  return Hex.encode(SignedMessage.encode(SignedMessage.create(unsigned, [0], signature)))
}
