import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Address, CheckedHex, Hex, Id, Json, Network } from '@firn/codec'
import { Networks } from '@firn/genesis'
import { PrivateKey, PublicKey } from '@firn/keys'
import { AtomicTx, AtomicUtxo, AvmTx, AvmUtxo, PlatformTx, PlatformUtxo, Wallet } from '@firn/txs'
import { afterAll, describe, expect, test } from 'vitest'
import * as Run from '../../Run.ts'

/** Runs `firn tx …` and returns its exit code and output. */
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

const folder = mkdtempSync(join(tmpdir(), 'firn-tx-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const save = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

/** The public test key of local networks. */
const EWOQ = 'PrivateKey-ewoqjP7PxY4yr3iLTpLisriqt94hdyDFNgchSxGGztUrTXtNN'
const other = Id.hash(Uint8Array.of(1))
const [ewoqAddress, otherAddress] = [PrivateKey.parse(EWOQ), other].map((key) =>
  PublicKey.address(PrivateKey.publicKey(key)),
) as [Uint8Array, Uint8Array]
const hrp = Network.hrp(Network.LOCAL)
const name = (chain: string, payload: Uint8Array) => Address.format({ chain, hrp, payload })
const avax = Networks.LOCAL.ids?.avaxAssetId as Uint8Array
const utxo = (payment: Omit<Wallet.Payment, 'assetID'>, outputIndex = 0) => ({
  txID: Id.EMPTY,
  outputIndex,
  ...Wallet.plainOut({ ...payment, assetID: avax }),
})
const mine = utxo({ amount: 20_000_000_000_000_000n, owners: Wallet.soleOwner(ewoqAddress) })

const keys = save('keys', `${EWOQ}\n`)
const mistypedKeys = save('mistyped', `${EWOQ}\n${EWOQ.replace('ewoq', 'ewoR')}\n`)
const otherKeys = save('other', Hex.encode(other))
const utxos = save('utxos', Hex.encode(PlatformUtxo.encode(mine)))
const local = ['--network', 'local', '--keys', keys, '--time', '1795217420']
const k1 = 'P-local1kucwyn3yc3m3e8saa87922jewhdx3thhp2dde0'
const RECORDED = 'BKcpT7QKc3NKSzwRZr6XZaYZofDTXyYHtAsLTQdbJkmJqpHpN'
/** A node's responses, by method. */
const ANSWERS: Readonly<Record<string, string>> = {
  'info.getNetworkID': '{"networkID":"12345"}',
  'platform.getFeeConfig':
    '{"weights":[1,1000,1000,4],"maxCapacity":1000000,"maxPerSecond":100000,"targetPerSecond":50000,"minPrice":1,"excessConversionConstant":2164043}',
  'platform.issueTx': `{"txID":"${RECORDED}"}`,
  'platform.getTxStatus': '{"status":"Committed"}',
  'platform.getFeeState': '{"capacity":0,"excess":0,"price":1,"timestamp":"2026-10-03T04:00:00Z"}',
  'platform.getUTXOs': `{"numFetched":"1","utxos":["${CheckedHex.encode(PlatformUtxo.encode(mine))}"],"endIndex":{"address":"a","utxo":"b"},"encoding":"hex"}`,
  eth_baseFee: '"0x5d21dba00"',
  eth_getBalance: '"0x56bc75e2d63100000"',
  eth_getTransactionCount: '"0x7"',
}
const bytesOf = (hex: string | undefined) => CheckedHex.decode(hex ?? '')
const decoded = (hex: string | undefined) => PlatformTx.decode(bytesOf(hex))
const SENT = `issued ${RECORDED}\nwaiting until it is accepted\naccepted ${RECORDED}`
const ISSUE_NOTE = /^to issue it, pass this to firn tx issue, or POST the last line to \S*\/ext\/bc\/P$/

describe('firn tx', () => {
  test('builds the same transaction with tx transfer as the node’s wallet does from the same UTXO', async () => {
    const { code, out, notes } = await tx('transfer', `${k1}=5`, '--utxos', utxos, ...local)
    expect({ code, notes }).toEqual({ code: 0, notes: expect.stringMatching(ISSUE_NOTE) })
    const [hex, json] = out
    expect(Id.format(PlatformTx.id(bytesOf(hex)))).toBe(RECORDED)
    const body = { jsonrpc: '2.0', id: 1, method: 'platform.issueTx', params: { tx: hex, encoding: 'hex' } }
    expect(JSON.parse(json ?? '')).toEqual(body)
    const { out: document } = await tx('transfer', `${k1}=5`, '--utxos', utxos, ...local, '--json')
    expect(document.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({
        ...{ chain: 'P', id: RECORDED, missing: [], hex },
        issue: { path: '/ext/bc/P', body },
        tx: expect.objectContaining({ id: RECORDED }),
      }),
    ])
  })

  test('builds the requested transactions with tx export, tx import and tx delegate', async () => {
    const exported = await tx('export', `${name('C', ewoqAddress)}=1.5`, '--utxos', utxos, ...local)
    expect(decoded(exported.out[0]).unsignedTx).toMatchObject({
      type: 'ExportTx',
      destinationChain: Networks.LOCAL.ids?.cChainId,
      exportedOutputs: [{ output: { amount: 1_500_000_000n } }],
    })
    const imported = await tx('import', '--source', 'X', '--exported', utxos, ...local)
    expect(decoded(imported.out[0]).unsignedTx).toMatchObject({
      type: 'ImportTx',
      inputs: [],
      sourceChain: Networks.LOCAL.ids?.xChainId,
    })
    const node = 'NodeID-P7oB2McjBGgW2NXXWVYjV8JEDFoW9xDE5'
    const delegated = await tx(
      'delegate',
      '--node',
      node,
      '--amount',
      '25',
      '--end',
      '2027-06-01T00:00:00Z',
      '--utxos',
      utxos,
      ...local,
    )
    expect(decoded(delegated.out[0]).unsignedTx).toMatchObject({
      type: 'AddPermissionlessDelegatorTx',
      validator: { weight: 25_000_000_000n, end: 1_811_808_000n, start: 1_795_217_420n },
      stake: [{ output: { amount: 25_000_000_000n } }],
    })
  })

  test('builds transactions of the X- and C-chain', async () => {
    const x = save('x', Hex.encode(AvmUtxo.encode(mine)))
    const c = save('c', Hex.encode(AtomicUtxo.encode(mine)))
    const moved = await tx('transfer', `${name('X', otherAddress)}=2`, '--utxos', x, ...local)
    expect(AvmTx.decode(bytesOf(moved.out[0])).unsignedTx.type).toBe('BaseTx')
    const fee = ['--base-fee', '25000000000']
    const taken = await tx('import', '--chain', 'C', '--source', 'X', '--exported', c, ...fee, ...local)
    const given = await tx(
      'export',
      '--chain',
      'C',
      `${name('X', otherAddress)}=2`,
      '--balance',
      `${10n ** 20n}`,
      '--nonce',
      '3',
      ...fee,
      ...local,
    )
    const types = [taken, given].map(({ out }) => AtomicTx.decode(bytesOf(out[0])).unsignedTx.type)
    expect(types).toEqual(['ImportTx', 'ExportTx'])
  })

  test('takes as many UTXOs as fit with tx import and tx consolidate, and reports the remaining UTXOs', async () => {
    const coins = (count: number, amount: bigint, first = 0) =>
      Array.from({ length: count }, (_, i) =>
        Hex.encode(PlatformUtxo.encode(utxo({ amount, owners: Wallet.soleOwner(ewoqAddress) }, first + i))),
      )
    const all = save('many', [...coins(400, 10n ** 9n), ...coins(5, 1n, 400)].join('\n'))
    const imported = await tx('import', '--source', 'X', '--exported', all, ...local)
    expect(imported.notes).toContain('left 5 UTXOs with 0.000000005 AVAX: they are worth less than the fee')
    expect(imported.notes).toContain('left 63 UTXOs with 63 AVAX: they did not fit; run the command again')
    expect(imported.out).toHaveLength(2)
    const merged = await tx('consolidate', '--utxos', all, '--max-transactions', '5', ...local)
    expect(merged.out).toHaveLength(4)
    const inputs = [0, 2].map((line) => {
      const { unsignedTx } = decoded(merged.out[line])
      return unsignedTx.type === 'BaseTx' ? [unsignedTx.inputs.length, unsignedTx.outputs.length] : []
    })
    expect(inputs).toEqual([
      [337, 1],
      [63, 1],
    ])
    expect((await tx('consolidate', '--chain', 'C', ...local)).notes).toContain('expected P or X')
  })

  test('spends a UTXO once that a file lists twice', async () => {
    const coin = (index: number) =>
      Hex.encode(
        PlatformUtxo.encode(utxo({ amount: 10n ** 9n, owners: Wallet.soleOwner(ewoqAddress) }, index)),
      )
    const repeated = save('repeated', [coin(0), coin(1), coin(0)].join('\n'))
    const { code, notes } = await tx('transfer', `${k1}=2.5`, '--utxos', repeated, ...local)
    expect([code, notes]).toEqual([1, expect.stringMatching(/2 AVAX available/)])
  })

  test('says that there is nothing to import', async () => {
    const none = save('none', '[]')
    const { code, notes } = await tx('import', '--source', 'X', '--exported', none, ...local)
    expect([code, notes]).toEqual([
      1,
      expect.stringMatching(/nothing to import: the other chain holds no UTXOs/),
    ])
  })

  test('completes a partly signed transaction with tx sign, given its JSON or hex', async () => {
    const owners = Wallet.owners(2, [ewoqAddress, otherAddress])
    const both = save('multisig', Hex.encode(PlatformUtxo.encode(utxo({ amount: 10n ** 10n, owners }))))
    const from = ['--from', `${name('P', ewoqAddress)},${name('P', otherAddress)}`]
    const first = await tx('transfer', `${k1}=1`, '--utxos', both, ...local, ...from, '--json')
    expect(first.notes).toBe(`signatures missing: ${name('P', otherAddress)}; pass this to firn tx sign`)
    const round = save('round.json', first.out[0] ?? '')
    const second = await tx('sign', round, '--keys', otherKeys, '--json')
    const viaHex = await tx(
      'sign',
      String((Json.parse(first.out[0] ?? '') as { hex: string }).hex),
      '--utxos',
      both,
      '--keys',
      otherKeys,
    )
    expect((Json.parse(second.out[0] ?? '') as { hex: string }).hex).toBe(viaHex.out[0])
    expect(Json.parse(second.out[0] ?? '')).toMatchObject({ missing: [] })
  })

  test('signs a transaction in hex with one key and without UTXOs', async () => {
    const whole = await tx('transfer', `${k1}=5`, '--utxos', utxos, ...local)
    const bare = await tx(
      'transfer',
      `${k1}=5`,
      '--utxos',
      utxos,
      '--network',
      'local',
      '--from',
      name('P', ewoqAddress),
      '--time',
      '1795217420',
    )
    expect(bare.notes).toBe(`signatures missing: ${name('P', ewoqAddress)}; pass this to firn tx sign`)
    expect((await tx('sign', bare.out[0] ?? '', '--keys', keys)).out).toEqual(whole.out)
  })

  test('reads network, UTXOs, prices and accounts from an upstream', async () => {
    const asked: string[] = []
    const server = createServer((request, response) => {
      let body = ''
      request.on('data', (part) => {
        body += part
      })
      request.on('end', () => {
        const { id, method, params } = JSON.parse(body) as { id: number; method: string; params: unknown }
        asked.push(Array.isArray(params) ? `${method} ${params.join(' ')}`.trim() : method)
        response.setHeader('content-type', 'application/json')
        response.end(`{"jsonrpc":"2.0","result":${ANSWERS[method]},"id":${id}}`)
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const upstream = ['--upstream', `http://127.0.0.1:${port}`, '--keys', keys]
    const moved = await tx('transfer', `${k1}=5`, ...upstream)
    expect(moved.notes).toMatch(ISSUE_NOTE)
    expect(Id.format(PlatformTx.id(bytesOf(moved.out[0])))).toBe(RECORDED)
    expect(asked.splice(0).sort()).toEqual([
      'info.getNetworkID',
      'platform.getFeeConfig',
      'platform.getFeeState',
      'platform.getUTXOs',
    ])
    const sent = await tx('transfer', `${k1}=5`, ...upstream, '--send')
    expect(sent.out).toEqual([`txId ${RECORDED}`])
    expect(sent.notes).toBe(SENT)
    expect(asked.splice(0)).toEqual(expect.arrayContaining(['platform.issueTx', 'platform.getTxStatus']))
    const kept = save('kept', moved.out[0] ?? '')
    const later = await tx('sign', kept, ...upstream, '--send')
    expect(later).toMatchObject({ code: 0, notes: SENT })
    const issued = await tx('issue', kept, '--upstream', `http://127.0.0.1:${port}`)
    expect(issued).toEqual({ code: 0, out: [`txId ${RECORDED}`], notes: SENT })
    asked.length = 0
    const exported = await tx('export', '--chain', 'C', `${k1}=2`, ...upstream)
    server.close()
    expect(AtomicTx.decode(bytesOf(exported.out[0])).unsignedTx).toMatchObject({
      inputs: [{ nonce: 7n }],
      exportedOutputs: [{ output: { amount: 2_000_000_000n } }],
    })
    const account = '0x8db97C7cEcE249c2b98bDC0226Cc4C2A57BF52FC latest'
    expect(asked.sort()).toEqual([
      'eth_baseFee',
      `eth_getBalance ${account}`,
      `eth_getTransactionCount ${account}`,
      'info.getNetworkID',
      'info.upgrades',
    ])
  })

  test.each<[string, readonly string[], RegExp, number?]>([
    [
      'an amount above the balance',
      ['transfer', `${k1}=30000000`, '--utxos', utxos, ...local],
      /Not enough AVAX: 30000000\S+ AVAX needed with the fee of 0\.\d+ AVAX, \S+ AVAX available, \S+ AVAX missing\./,
      1,
    ],
    [
      'UTXOs of other owners',
      ['transfer', `${k1}=5`, '--utxos', utxos, '--network', 'local', '--keys', otherKeys],
      / AVAX missing\. The rest needs signatures of other owners\./,
      1,
    ],
    [
      'nowhere to send to',
      ['transfer', `${k1}=5`, '--utxos', utxos, ...local, '--send'],
      /--send: pass --upstream/,
    ],
    ['no UTXOs', ['transfer', `${k1}=5`, ...local], /--utxos <file> or --upstream/],
    ['no signer', ['transfer', `${k1}=5`, '--utxos', utxos, '--network', 'local'], /--keys <file> or --from/],
    [
      'an address of another network',
      ['transfer', `${k1}=5`, '--utxos', utxos, '--keys', keys],
      /an address such as P-avax1…, got P-local1/,
    ],
    ['no amount', ['transfer', k1, '--utxos', utxos, ...local], /a payment such as P-local1…=1.5/],
    [
      'an amount below 1 nAVAX',
      ['transfer', `${k1}=0.0000000001`, '--utxos', utxos, ...local],
      /an amount of AVAX/,
    ],
    [
      'a C-chain transfer',
      ['transfer', `${name('C', ewoqAddress)}=1`, '--utxos', utxos, ...local],
      /an EVM transaction/,
    ],
    ['no base fee', ['import', '--chain', 'C', '--source', 'X', '--exported', utxos, ...local], /--base-fee/],
    ['an invalid transaction', ['sign', '0x00', '--keys', keys], /expected/, 1],
    [
      'a key file without keys',
      ['sign', '0x00', '--keys', utxos],
      /key 1 of --keys: expected PrivateKey-… or 64 hex digits/,
      1,
    ],
    [
      'a mistyped key',
      ['sign', '0x00', '--keys', mistypedKeys],
      /key 2 of --keys: private key: checksum mismatch/,
      1,
    ],
    ['a key on the command line', ['sign', '0x00', '--keys', EWOQ], /--keys with the name of a file/],
    [
      'a missing file',
      ['transfer', `${k1}=5`, '--utxos', 'nowhere', ...local],
      /the file "nowhere" does not exist/,
      1,
    ],
  ])('reports %s in one sentence', async (_what, argv, sentence, status = 2) => {
    const { code, out, notes } = await tx(...argv)
    expect(out).toEqual([])
    expect(code).toBe(status)
    expect(notes).toMatch(sentence)
    expect(notes.split('\n')).toHaveLength(1)
    expect(notes).not.toContain(EWOQ.slice(12))
  })
})
