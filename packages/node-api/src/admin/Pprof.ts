import { gzipSync } from 'node:zlib'
import { Function as Func, Line, Location, Profile, Sample, StringTable, ValueType } from 'pprof-format'

/** One level of a call stack, as V8 reports it. Line numbers start at 0. */
export interface Frame {
  readonly functionName: string
  readonly url: string
  readonly lineNumber: number
}

/** A call stack, innermost frame first, with one measured value per {@link Kind}. */
export interface Measured {
  readonly stack: readonly Frame[]
  readonly values: readonly number[]
}

/** A measured quantity, such as `cpu` in `nanoseconds`. */
export interface Kind {
  readonly type: string
  readonly unit: string
}

/** Metadata of a profile for {@link encode}. */
export interface ProfileFacts {
  readonly kinds: readonly Kind[]
  /** The sampling interval, in units of `kind`. */
  readonly period: { readonly kind: Kind; readonly value: number }
  /** Start of the profile in nanoseconds since 1970. */
  readonly time: bigint
  /** Length of the profile in nanoseconds. */
  readonly duration: bigint
}

/** Encodes a profile as gzipped protocol buffers for `go tool pprof`. */
export function encode(samples: readonly Measured[], facts: ProfileFacts): Uint8Array {
  const strings = new StringTable()
  const tables = createTables(strings)
  const valueType = ({ type, unit }: Kind) =>
    new ValueType({ type: strings.dedup(type), unit: strings.dedup(unit) })
  const profile = new Profile({
    sampleType: facts.kinds.map(valueType),
    sample: samples.map(
      ({ stack, values }) => new Sample({ locationId: stack.map(tables.locate), value: [...values] }),
    ),
    location: tables.locations,
    function: tables.functions,
    stringTable: strings,
    timeNanos: facts.time,
    durationNanos: facts.duration,
    periodType: valueType(facts.period.kind),
    period: facts.period.value,
  })
  return gzipSync(profile.encode())
}

/**
 * Creates the tables of functions and locations. Each function has one location, because V8 reports where a
 * function starts, not the current line.
 */
function createTables(strings: StringTable) {
  const ids = new Map<string, number>()
  const locations: Location[] = []
  const functions: Func[] = []
  const locate = ({ functionName, url, lineNumber }: Frame): number => {
    const key = `${functionName}\n${url}\n${lineNumber}`
    const known = ids.get(key)
    if (known !== undefined) return known
    const id = ids.size + 1
    ids.set(key, id)
    const name = strings.dedup(functionName === '' ? '(anonymous)' : functionName)
    const line = lineNumber + 1
    functions.push(new Func({ id, name, systemName: name, filename: strings.dedup(url), startLine: line }))
    locations.push(new Location({ id, line: [new Line({ functionId: id, line })] }))
    return id
  }
  return { locate, locations, functions }
}
