import { Hex } from '@firn/codec'
import { Clock, createSource, Doctor } from '@firn/indexer'
import { CliError } from '../CliError.ts'
import * as Meter from '../Meter.ts'
import type { Terminal } from '../Terminal.ts'
import * as Database from './Database.ts'

/** What `firn doctor` may be told. */
export type Options = Database.Options & { readonly replay?: boolean; readonly digests?: boolean }

const print = (found: Doctor.Examination, terminal: Terminal, withAll: boolean): void => {
  for (const [chain, count] of Object.entries(found.blocks)) {
    const own = found.digests.filter((digest) => digest.chain === chain)
    for (const { height, digest } of withAll ? own : own.slice(-1)) {
      terminal.print(`${chain} ${String(height).padStart(10)}  ${Hex.encode(digest)}`)
    }
    if (own.length === 0) terminal.print(`${chain}: ${count} blocks`)
  }
  if (found.state !== undefined) terminal.print(`tables        ${Hex.encode(found.state)}`)
  for (const { message } of found.findings) terminal.print(`wrong: ${message}`)
}

/** Examines a database; what is wrong is printed, and an error. */
export const doctor = async (options: Options, terminal: Terminal): Promise<void> => {
  const upstreams = Database.nodes(options)
  const { store } = await Database.open({ ...options, attach: true }, undefined, terminal)
  const source = upstreams.length === 0 ? undefined : createSource({ upstreams, clock: Clock.SYSTEM })
  let [part, text] = [0, '']
  const meter = Meter.start(terminal, 'examining', () => ({ part, text }))
  try {
    const found = await Doctor.examine(
      {
        store,
        source,
        replay: options.replay ?? false,
        onProgress: (chain, height, tip) => {
          part = tip === 0n ? 1 : Number((height * 1000n) / tip) / 1000
          text = `${chain} ${height}/${tip}`
        },
      },
      terminal.signal,
    )
    meter.stop('examined')
    print(found, terminal, options.digests ?? false)
    const count = found.findings.length
    if (count > 0)
      throw new CliError(
        'CLI_FINDINGS',
        `${count} ${count === 1 ? 'thing is' : 'things are'} wrong with the database`,
      )
    terminal.print('nothing is missing')
  } catch (error) {
    meter.fail(error instanceof Error ? error.message : String(error))
    throw error
  } finally {
    await source?.close()
    await store.close()
  }
}
