import { Hex } from '@firn/codec'
import { ChainStores, EvmDoctor, EvmImages, EvmRetention } from '@firn/evm-store'
import { Database } from '@firn/indexer'
import type { Terminal } from '@firn/options'
import * as Meter from '@firn/options/meter'
import type { Databases } from '@firn/store'
import { CliError } from '../../CliError.ts'
import * as DoctorResult from '../DoctorResult.ts'

/** Options of `firn doctor --chain-id`. */
export type Options = Databases.Options & { readonly chainId: bigint }

/** Checks a stored EVM chain. Prints the findings, and throws an error if there are any. */
export const doctor = async (options: Options, terminal: Terminal): Promise<void> => {
  const { chainId } = options
  const store = await ChainStores.openOne({ ...options, attach: true }, chainId, Database.logger(terminal))
  const startedAt = Date.now()
  let [part, text] = [0, '']
  const meter = Meter.start(terminal, 'examining', () => ({ part, text }))
  try {
    await store.migrate()
    const tip = (await store.snapshot()).height
    const found = await EvmDoctor.check(store, {
      signal: terminal.signal,
      onProgress: (height) => {
        part = tip === 0n ? 1 : Number((height * 1000n) / tip) / 1000
        text = `${chainId} ${height}/${tip}`
      },
    })
    meter.stop(`examined ${found.blocks} blocks`)
    for (const { first, last, chainDigest, isDigestStale } of found.ranges) {
      terminal.print(`${chainId} ${first} to ${last}  ${Hex.encode(chainDigest)}`)
      if (isDigestStale)
        terminal.print(
          `${chainId} this digest lacks internal calls that were added to an earlier block; the indexer is computing it again`,
        )
    }
    for (const { kind, bytes, keptFrom, keptSince } of await EvmRetention.sizes(store)) {
      const since =
        keptSince === undefined ? '' : `  from ${new Date(Number(keptSince) * 1000).toISOString()}`
      const from = keptFrom === undefined ? since : `  from block ${keptFrom}`
      terminal.print(`${chainId} ${kind.padEnd(12)} ${megabytes(bytes).padStart(12)} MB${from}`)
    }
    const [untraced] = found.untraced
    if (untraced !== undefined)
      terminal.print(
        `${chainId} internal calls are complete up to block ${untraced - 1n}, and missing of ${found.untraced.length} blocks from ${untraced} on, whose traces no node has returned in time`,
      )
    const { images, bytes } = await EvmImages.usage(store)
    if (images > 0)
      terminal.print(`${chainId} ${images} copies of images, ${megabytes(BigInt(bytes))} MB of the limit`)
    const findings = found.faults.map(
      ({ table, height, message }) => `${table}${height === undefined ? '' : ` at ${height}`}: ${message}`,
    )
    for (const finding of findings) terminal.print(`wrong: ${finding}`)
    await DoctorResult.keep(store, { kind: 'doctor', startedAt, findings }, terminal)
    const { length } = findings
    if (length > 0)
      throw new CliError('CLI_FINDINGS', `${length} ${length === 1 ? 'problem' : 'problems'} found`)
    terminal.print('nothing is missing')
  } catch (error) {
    meter.fail(error instanceof Error ? error.message : String(error))
    throw error
  } finally {
    await store.close()
  }
}

const megabytes = (bytes: bigint): string => (Number(bytes) / 1_000_000).toFixed(1)
