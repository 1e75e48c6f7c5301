import * as Case from '../Case.ts'
import * as Outcome from '../Outcome.ts'
import type { FileReport } from '../Report.ts'
import * as AvmRecording from './AvmRecording.ts'
import * as EvmRecording from './EvmRecording.ts'
import * as PlatformRecording from './PlatformRecording.ts'
import type { Folder, Lines } from './RecordedChain.ts'

/** Checks one line of a file and throws on a difference. */
export type LineCheck = (it: Case.Case, folder: Folder) => void

/** Name of the file that identifies a folder as a recorded chain. */
export const BLOCKS = 'blocks.jsonl'

/** The checks for the files of each chain. A chain is identified by the members of its blocks. */
const CHAINS: readonly {
  readonly isOf: (block: Case.RawCase) => boolean
  readonly checks: Readonly<Record<string, LineCheck>>
}[] = [
  {
    isOf: ({ block }) => Object.hasOwn(Object(block), 'blockExtraData'),
    checks: { [BLOCKS]: EvmRecording.block, 'atomic.jsonl': EvmRecording.atomic },
  },
  {
    isOf: ({ json }) => Object.hasOwn(Object(json), 'merkleRoot'),
    checks: { [BLOCKS]: AvmRecording.block, 'txs.jsonl': AvmRecording.tx },
  },
  {
    isOf: ({ json }) => Object.hasOwn(Object(json), 'parentID'),
    checks: { [BLOCKS]: PlatformRecording.block, 'txs.jsonl': PlatformRecording.tx },
  },
]

/**
 * Returns the names of the files that {@link run} checks. The list is empty if the blocks do not belong to a
 * chain of the Primary Network.
 */
export function checkedFiles(lines: Lines): string[] {
  return Object.keys(checksOf(lines)).filter((file) => Object.hasOwn(lines, file))
}

/**
 * Checks every line of every file of a recorded chain. `name` is the folder's name in reports.
 * `apricotPhase5Time` is in Unix seconds; most recorded networks start after it.
 */
export function run(name: string, lines: Lines, apricotPhase5Time = 0n): FileReport[] {
  const folder: Folder = { networkId: networkOf(lines), apricotPhase5Time, lines }
  const checks = checksOf(lines)
  return checkedFiles(lines).map((file) => ({
    file: `${name}/${file}`,
    results: (lines[file] ?? []).map((raw) => ({
      name: String(raw['id'] ?? raw['hash']),
      outcome: Outcome.of(() => runLine(checks[file] as LineCheck, raw, folder)),
    })),
  }))
}

function checksOf(lines: Lines): Readonly<Record<string, LineCheck>> {
  const [first = {}] = lines[BLOCKS] ?? []
  return CHAINS.find(({ isOf }) => isOf(first))?.checks ?? {}
}

function runLine(check: LineCheck, raw: Case.RawCase, folder: Folder): undefined {
  const it = Case.create(raw)
  check(it, folder)
  Case.close(it)
}

/** Returns the first network id in the lines, or 0 if there is none. */
function networkOf(lines: Lines): number {
  for (const raw of Object.values(lines).flat()) {
    const found = networkIn(raw['json'])
    if (found !== undefined) return found
  }
  return 0
}

function networkIn(json: unknown): number | undefined {
  if (typeof json !== 'object' || json === null) return undefined
  for (const [name, member] of Object.entries(json)) {
    if (name === 'networkID' && typeof member === 'number') return member
    const found = networkIn(member)
    if (found !== undefined) return found
  }
  return undefined
}
