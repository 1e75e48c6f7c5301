import { gzipSync } from 'node:zlib'
import { Function as Func, Line, Location, Profile, Sample, StringTable, ValueType } from 'pprof-format'

/** Where a stack is at one of its levels, as V8 tells it: lines count from 0. */
export interface Frame {
  readonly functionName: string
  readonly url: string
  readonly lineNumber: number
}

/** A call stack, innermost frame first, and what was measured there: one number per {@link Kind}. */
export interface Measured {
  readonly stack: readonly Frame[]
  readonly values: readonly number[]
}

/** What is measured, such as `cpu` in `nanoseconds`. */
export interface Kind {
  readonly type: string
  readonly unit: string
}

/** What {@link encode} takes beside samples. */
export interface ProfileFacts {
  readonly kinds: readonly Kind[]
  /** What lies between two samples: so many units of `kind`. */
  readonly period: { readonly kind: Kind; readonly value: number }
  /** Nanoseconds since 1970. */
  readonly time: bigint
  /** Nanoseconds. */
  readonly duration: bigint
}

/** A profile in the form that `go tool pprof` opens: protocol buffers in gzip. */
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

/** One location per function: V8 tells where a function begins, not where in it the stack stands. */
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
