import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startBrowser } from '@firn/browser'
import type { Clone } from './Clone.ts'
import { SERVICES } from './exceptions.ts'
import * as Fences from './Fences.ts'
import { fill } from './Placeholders.ts'
import { ReadmesError } from './ReadmesError.ts'
import * as Shell from './Shell.ts'

/** What a reader of a tutorial does with one of its blocks. */
export type Step = { readonly line: number } & (
  | { readonly kind: 'command'; readonly text: string }
  | { readonly kind: 'file'; readonly path: string; readonly text: string }
  | { readonly kind: 'output'; readonly lines: readonly string[] }
  | { readonly kind: 'page'; readonly url: string; readonly lines: readonly string[] }
)

const FENCE = /^```(\w+)(?: \[([^\]]+)\])?\n([\s\S]*?)^```$/gm
const PATIENCE: Shell.Patience = { runMs: 240_000, stopMs: 30_000 }
/** Requests that a reader may repeat, because a service follows the network with a delay. */
const READS = /^curl -s\b(?!.* -d )|^curl -s\b.*"method": "\w+\.get/
const REPEAT_MS = 30_000

/**
 * Returns the steps of a tutorial: the commands of shell blocks, the files of blocks with a path as title, the output
 * that `text` blocks show, and the pages of `text` blocks with a URL as title.
 * @throws ReadmesError `READMES_USAGE` if a block has no meaning for a reader
 */
export function steps(markdown: string): readonly Step[] {
  return [...markdown.matchAll(FENCE)].flatMap(([, language = '', title, text = ''], index, all): Step[] => {
    const line = markdown.slice(0, all[index]?.index ?? 0).split('\n').length + 1
    const lines = text.split('\n').filter((one) => one.trim() !== '')
    if (language === 'sh')
      return Fences.commands({ line, lines: text.split('\n') }, Fences.isComplete).map((command) => ({
        kind: 'command',
        ...command,
      }))
    if (language === 'text' && title?.startsWith('http')) return [{ kind: 'page', line, url: title, lines }]
    if (language === 'text' || language === 'json') return [{ kind: 'output', line, lines }]
    if (title !== undefined) return [{ kind: 'file', line, path: title, text }]
    throw new ReadmesError(
      'READMES_USAGE',
      `the block at line ${line} has no title that says where to save it`,
    )
  })
}

/** Returns the first line of `lines` that `output` does not show; in a line, `…` stands for any text. */
export function missing(lines: readonly string[], output: string): string | undefined {
  return lines.find((line) => {
    const escaped = line
      .trim()
      .replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
      .replaceAll('…', '.*')
    return !new RegExp(escaped.replaceAll(/\s+/g, '[^\\S\\n]+')).test(output)
  })
}

/** A tutorial to run. */
export interface Job {
  readonly clone: Clone
  /** Folder for everything that the commands need. */
  readonly folder: string
  readonly markdown: string
  readonly signal: AbortSignal
}

/**
 * Does what a reader of a tutorial does who copies every block in order, with one home folder, and keeps services
 * running until the end. Returns the number of steps.
 * @throws ReadmesError with the line of the step that fails
 */
export async function run({ clone, folder, markdown, signal }: Job): Promise<number> {
  const home = mkdtempSync(join(folder, 'home-'))
  const state = mkdtempSync(join(folder, 'shell-'))
  const env = { ...clone.env, HOME: home }
  const shell = Shell.create({ cwd: clone.root, env, folder: state, patience: PATIENCE, signal })
  const running: Shell.Running[] = []
  let output = ''
  let again: (() => Promise<string>) | undefined
  const expectLines = (lines: readonly string[], shown: string) => {
    const line = missing(lines, shown)
    if (line !== undefined)
      throw new ReadmesError('READMES_COMMAND', `expected the output ${line}, got\n${shown}`)
  }
  const perform = async (step: Step): Promise<void> => {
    if (step.kind === 'file') {
      mkdirSync(dirname(join(clone.root, step.path)), { recursive: true })
      writeFileSync(join(clone.root, step.path), step.text)
    } else if (step.kind === 'output') {
      for (
        const end = Date.now() + REPEAT_MS;
        again !== undefined && Date.now() < end;
        output = await again()
      ) {
        if (missing(step.lines, output) === undefined) break
        await sleep(500, undefined, { signal })
      }
      expectLines(step.lines, output)
    } else if (step.kind === 'page') {
      const browser = await startBrowser()
      try {
        expectLines(step.lines, await browser.read(step.url, step.lines[0]?.split('…')[0]?.trim() ?? ''))
      } finally {
        await browser.close()
      }
    } else {
      const text = fill(step.text, {})
      const service = SERVICES.find(({ command }) => command.test(step.text))
      again = READS.test(text) ? () => shell.run(text) : undefined
      if (service === undefined) output = await shell.run(text)
      else {
        const started = await shell.start(text, service.ready)
        running.push(started)
        output = started.output()
      }
    }
  }
  const all = steps(markdown)
  try {
    for (const step of all) {
      try {
        await perform(step)
      } catch (cause) {
        const reason = cause instanceof Error ? cause.message : String(cause)
        throw new ReadmesError('READMES_COMMAND', `line ${step.line}: ${reason}`, { cause })
      }
    }
  } finally {
    for (const one of running.reverse()) await one.stop()
  }
  return all.length
}
