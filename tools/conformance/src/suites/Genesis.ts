import { readFileSync } from 'node:fs'
import { Address, type ChainAlias, Hex, Id, Json, NodeId } from '@firn/codec'
import {
  CChainGenesis,
  EvmGenesis,
  Genesis,
  GenesisConfig,
  Networks,
  PlatformGenesis,
  Upgrades,
  XChainGenesis,
} from '@firn/genesis'
import { type PlatformTx, Stakeable, UtxoId } from '@firn/txs'
import * as Case from '../Case.ts'
import { ofDump, ofValue } from '../internal/goFields.ts'
import * as Outcome from '../Outcome.ts'
import * as Suite from '../Suite.ts'

/** Optional folder of the networks' configuration files, next to the checkout. */
const CONFIGURATIONS = new URL('../../../../../shared/genesis/', import.meta.url)

/** A time after the start times of all valid cases, but before the start time of the case "in the future". */
const NOW = 1_790_000_000n

const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n)
const firstAndLast = <T>(items: readonly T[]) =>
  items.length <= 6 ? items : [...items.slice(0, 3), ...items.slice(-3)]

/**
 * Returns the items that a vector lists. If the vector has fewer items than the value, these are the first
 * and the last three.
 */
export function inVector<T>(items: readonly T[], length: number): readonly T[] {
  return length === items.length ? items : firstAndLast(items)
}

function addressOf(chain: string, networkId: number): (payload: Uint8Array) => string {
  const { hrp } = Networks.of(networkId)
  return (payload) => Address.format({ chain, hrp, payload })
}

function describeUtxo(utxo: PlatformGenesis.GenesisUtxo, networkId: number): unknown {
  const { output, outputIndex, message } = utxo
  const { amount, addresses } = Stakeable.unlocked(output)
  return {
    outputIndex,
    inputID: Id.format(UtxoId.inputId(utxo)),
    message,
    stakeableLocktime: output.type === 'LockOut' ? output.locktime : null,
    amount,
    addresses: addresses.map(addressOf('P', networkId)),
  }
}

function describeValidator(tx: PlatformTx.PlatformTx): unknown {
  const { unsignedTx } = tx
  if (!('validator' in unsignedTx)) return unsignedTx.type
  const { nodeID: nodeId, weight, end } = unsignedTx.validator
  return {
    txID: Id.format(PlatformGenesis.transactionId(tx)),
    type: unsignedTx.type,
    nodeID: NodeId.format(nodeId),
    weight,
    end,
    txLength: PlatformGenesis.transactionBytes(tx).length,
  }
}

function checkPlatform(it: Case.Case, { platform, networkId }: Genesis.Genesis): void {
  const { utxos, validators } = platform
  Case.equals(it, 'utxoCount', utxos.length)
  Case.equals(it, 'utxoSum', sum(utxos.map(({ output }) => Stakeable.unlocked(output).amount)))
  const ends = firstAndLast(utxos).map((utxo) => describeUtxo(utxo, networkId))
  Case.equals(it, 'utxosFirstLast3', ends)
  Case.equals(it, 'validatorCount', validators.length)
  const weights = validators.map(({ unsignedTx }) =>
    'validator' in unsignedTx ? unsignedTx.validator.weight : 0n,
  )
  Case.equals(it, 'validatorWeightSum', sum(weights))
  const { length } = Case.list(it, 'validatorsInGenesisOrder')
  Case.equals(it, 'validatorsInGenesisOrder', inVector(validators, length).map(describeValidator))
  Case.equals(it, 'timestamp', platform.timestamp)
  Case.equals(it, 'initialSupply', platform.initialSupply)
  Case.equals(it, 'message', platform.message)
}

function describeChain(chain: PlatformGenesis.Chain, tx: PlatformTx.PlatformTx): unknown {
  return {
    name: chain.name,
    blockchainID: Id.format(chain.blockchainId),
    vmID: Id.format(chain.vmId),
    txLength: PlatformGenesis.transactionBytes(tx).length,
    genesisDataLength: chain.genesisData.length,
    genesisDataSha256: Id.hash(chain.genesisData),
  }
}

function checkIds(it: Case.Case, genesis: Genesis.Genesis): void {
  Case.equals(it, 'genesisLength', genesis.bytes.length)
  Case.equals(it, 'genesisHash', genesis.genesisId)
  Case.equals(it, 'genesisID', Id.format(genesis.genesisId))
  const { bytes, id } = genesis.firstBlock
  Case.equals(it, 'pChainGenesisBlock', { bytes, id: Id.format(id), parent: Id.format(genesis.genesisId) })
  Case.equals(it, 'avaxAssetID', Id.format(genesis.avaxAssetId))
  const chains = PlatformGenesis.chains(genesis.platform)
  const described = chains.map((chain, i) =>
    describeChain(chain, genesis.platform.chains[i] as PlatformTx.PlatformTx),
  )
  Case.equals(it, 'chains', described)
  const aliases = (letter: ChainAlias) => ({
    chainAliases: Networks.CHAINS[letter].aliases,
    apiAliases: Networks.apiAliases(letter),
  })
  Case.equals(it, 'aliases', {
    [Id.format(Networks.PRIMARY_NETWORK_ID)]: aliases('P'),
    [Id.format(genesis.xChain.blockchainId)]: aliases('X'),
    [Id.format(genesis.cChain.blockchainId)]: aliases('C'),
  })
}

function checkXChain(it: Case.Case, { xChain, networkId }: Genesis.Genesis): void {
  const [asset] = XChainGenesis.decode(xChain.genesisData).txs as [XChainGenesis.GenesisAsset]
  const outputs = asset.initialStates.flatMap((state) => state.outputs)
  const holders = outputs.flatMap((output) => (output.type === 'TransferOutput' ? [output] : []))
  const address = addressOf('X', networkId)
  const { alias, name, symbol, denomination } = asset
  Case.equals(it, 'xChain', {
    alias,
    name,
    symbol,
    denomination,
    memoLength: asset.memo.length,
    memoSha256: Id.hash(asset.memo),
    outputCount: outputs.length,
    outputSum: sum(holders.map(({ amount }) => amount)),
    outputsFirstLast3: firstAndLast(holders).map(({ amount, addresses }) => ({
      amount,
      address: addresses.map(address).join(),
    })),
  })
  const { cortina, cortinaXChainStopVertexId: parent } = Networks.of(networkId).upgrades
  const block = XChainGenesis.firstBlock(parent, cortina)
  const expected = { bytes: block, id: Id.format(Id.hash(block)), parent: Id.format(parent) }
  // The note contains the name of the reference's function that created the block.
  const { note: _note, ...given } = Case.given(it, 'xChainGenesisBlock') as Record<string, unknown>
  Case.same('xChainGenesisBlock', given, expected)
}

function checkCChain(it: Case.Case, { cChain, networkId }: Genesis.Genesis): void {
  Case.equals(it, 'cChainGenesis', new TextDecoder().decode(cChain.genesisData))
  const block = CChainGenesis.firstBlock(
    EvmGenesis.parse(cChain.genesisData),
    Networks.of(networkId).upgrades,
  )
  Case.equals(it, 'cChain', {
    baseFee: String(block.baseFee ?? null),
    headerRLP: block.header,
    blockHash: block.hash,
    stateRoot: block.stateRoot,
    gasLimit: block.gasLimit,
    timestamp: block.timestamp,
    chainID: block.evmChainId,
  })
}

function checkDumps(it: Case.Case, genesis: Genesis.Genesis): void {
  if (!Case.has(it, 'pChainGenesisBytes')) return
  Case.equals(it, 'pChainGenesisBytes', genesis.bytes)
  Case.equals(it, 'xChainGenesisBytes', genesis.xChain.genesisData)
  Case.same('pChainFields', ofDump(Case.given(it, 'pChainFields')), ofValue(genesis.platform))
  const xGenesis = XChainGenesis.decode(genesis.xChain.genesisData)
  Case.same('xChainFields', ofDump(Case.given(it, 'xChainFields')), ofValue(xGenesis))
}

function checkAll(it: Case.Case, config: GenesisConfig.GenesisConfig): void {
  const genesis = Genesis.build(config)
  Case.equals(it, 'networkID', genesis.networkId)
  Case.equals(it, 'startTime', config.startTime)
  Case.equals(it, 'ok', true)
  const decoded = Genesis.decode(genesis.bytes)
  Case.same('bytes after a round trip', genesis.bytes, PlatformGenesis.encode(decoded.platform))
  Genesis.assertKnown(decoded)
  checkIds(it, decoded)
  checkPlatform(it, decoded)
  checkXChain(it, decoded)
  checkCChain(it, decoded)
  checkDumps(it, decoded)
  const printed = Json.stringify(GenesisConfig.toJSON(config))
  Case.same(
    'config after a round trip',
    Json.stringify(GenesisConfig.toJSON(GenesisConfig.parse(printed))),
    printed,
  )
}

/**
 * Returns the JSON of the configuration. The vectors do not contain the mainnet configuration; it is read
 * from the genesis folder next to them.
 */
function configText(it: Case.Case): string | undefined {
  if (Case.has(it, 'config')) return Case.text(it, 'config')
  const name = Case.text(it, 'name')
  try {
    return readFileSync(new URL(`genesis-${name}.json`, CONFIGURATIONS), 'utf8')
  } catch {
    return undefined
  }
}

/** Checks the genesis of networks: bytes, ids, blocks, upgrade times and rejections. */
export const genesis = Suite.create('genesis.json', {
  network(it) {
    const text = configText(it)
    if (text === undefined)
      return Outcome.skipped("the network's configuration file is not next to the checkout")
    const config = GenesisConfig.parse(text)
    Case.equals(it, 'configSha256', Id.hash(new TextEncoder().encode(text)))
    Case.equals(it, 'configFile', `genesis/genesis_${Case.text(it, 'name')}.json`)
    Case.equals(it, 'allocationCount', config.allocations.length)
    Case.equals(it, 'stakerCount', config.initialStakers.length)
    Case.equals(it, 'configInitialSupply', GenesisConfig.initialSupply(config))
    checkAll(it, config)
    return undefined
  },
  custom(it) {
    const text = Case.text(it, 'config')
    Case.equals(it, 'fromFlagError', null)
    Genesis.load(text, { networkId: Case.number(it, 'networkID'), now: NOW })
    checkAll(it, GenesisConfig.parse(text))
    return undefined
  },
  upgrades(it) {
    // The vectors are from a release that did not schedule Helicon yet.
    const upgrades = { ...Networks.of(Case.number(it, 'networkID')).upgrades, helicon: Upgrades.UNSCHEDULED }
    const { json, ...times } = Case.given(it, 'times') as Readonly<Record<string, string>>
    Case.same('times.json', json, Json.stringify(Upgrades.toJSON(upgrades)))
    Case.same('times', times, Object.fromEntries(Upgrades.NAMES.map((name) => [name, upgrades[name]])))
    Case.same('times.json after a round trip', upgrades, Upgrades.fromJSON(Json.parse(String(json))))
    return undefined
  },
  invalid(it) {
    const expectation = { networkId: Case.number(it, 'networkID'), now: NOW }
    Case.verdict(it, () =>
      Case.has(it, 'configBase64')
        ? Genesis.loadBase64(Case.text(it, 'configBase64'), expectation)
        : Genesis.load(Case.text(it, 'config'), expectation),
    )
    Case.ignore(it, 'config')
    return undefined
  },
  decode(it) {
    const bytes = Case.bytes(it, 'bytes')
    const found = Case.verdict(it, () => PlatformGenesis.decode(bytes))
    if (found !== undefined) Case.same('bytes', Hex.encode(bytes), PlatformGenesis.encode(found.value))
    return undefined
  },
})
