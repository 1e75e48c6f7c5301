import { describe, expect, it } from 'vitest'
import * as AbiFile from './AbiFile.ts'
import * as EventAbi from './EventAbi.ts'

const input = (name: string, type: string, indexed = false) => ({ name, type, indexed })
const PAUSED = { type: 'event', name: 'Paused', inputs: [input('account', 'address')] }
const signatures = (json: unknown) => AbiFile.read(json).events.map(EventAbi.signature)

describe('AbiFile.read', () => {
  it.each<[form: string, json: unknown]>([
    ['an array', [PAUSED]],
    ['an artifact', { contractName: 'A', abi: [PAUSED] }],
    ['an artifact with the ABI as text', { abi: JSON.stringify([PAUSED]) }],
    ['metadata', { output: { abi: [PAUSED] } }],
    ['the answer of an explorer', { status: '1', result: JSON.stringify([PAUSED]) }],
    ['the answer of an explorer with the source', { result: [{ ABI: JSON.stringify([PAUSED]) }] }],
    ['the output of a compiler', { contracts: { 'A.sol': { A: { abi: [PAUSED] } } } }],
    ['the output of a compiler by file and name', { contracts: { 'A.sol:A': { abi: [PAUSED] } } }],
    ['a human-readable ABI', ['event Paused(address account);', 'function pause()']],
  ])('reads %s', (_form, json) => {
    expect(signatures(json)).toEqual(['Paused(address)'])
  })

  it('returns a repeated event once, and both if their logs differ in the number of topics', () => {
    const indexed = { ...PAUSED, inputs: [input('who', 'address', true)] }
    expect(AbiFile.read([PAUSED, PAUSED, indexed, 'event Paused(address other)']).events).toEqual(
      [PAUSED, indexed].map(({ name, inputs }) => ({ name, inputs })),
    )
  })

  it('names anonymous events', () => {
    const four = { ...PAUSED, anonymous: true, inputs: Array(4).fill(input('a', 'bool', true)) }
    expect(AbiFile.read([four, 'event Hidden(uint256 a) anonymous'])).toEqual({
      events: [],
      anonymous: ['Paused', 'Hidden'],
    })
  })

  it('replaces structs in human-readable ABIs', () => {
    const structs = ['struct Line { Point[2] ends; string label; }', 'struct Point { uint x; int8 y; }']
    expect(signatures([...structs, 'event Drawn(Line[] lines, Point indexed at)'])).toEqual([
      'Drawn(((uint256,int8)[2],string)[],(uint256,int8))',
    ])
  })

  it.each<[name: string, json: unknown, message: string]>([
    ['entries of other kinds', [PAUSED, { ...PAUSED, type: 'Event' }], 'abi[1]: unknown type "Event"'],
    ['structs that contain themselves', ['struct A { A a; }', 'event E(A a)'], 'abi[1] "event E(A a)": '],
    [
      'ABIs in too many texts',
      Array.from({ length: 6 }).reduce((text) => JSON.stringify(text), '[]'),
      'expected an ABI',
    ],
    ['several contracts', { contracts: { a: { A: {}, B: {} } } }, 'got 2 contracts (A, B)'],
  ])('rejects %s', (_name, json, message) => {
    expect(() => AbiFile.read(json)).toThrow(expect.objectContaining({ code: 'EVM_MALFORMED' }))
    expect(() => AbiFile.read(json)).toThrow(message)
  })
})

describe('EventAbi.argumentNames', () => {
  it('returns different names', () => {
    const names = ['', '', 'arg1', 'arg1_', 'a', 'a', 'arg5']
    expect(EventAbi.argumentNames(names.map((name) => input(name, 'bool')))).toEqual([
      ...['arg0', 'arg1__', 'arg1', 'arg1_', 'a', 'arg5_', 'arg5'],
    ])
  })
})
