/** A fenced block of shell commands. */
export interface Fence {
  /** Line number of the first command in the file, counted from 1. */
  readonly line: number
  readonly lines: readonly string[]
}

/** A command of a block, as a reader would type it. */
export interface Command {
  readonly line: number
  readonly text: string
}

const SHELLS = ['sh', 'bash', 'shell', 'console', 'zsh']

/** Returns the fenced shell blocks of a Markdown text. */
export function find(markdown: string): Fence[] {
  const fences: Fence[] = []
  let open: { readonly isShell: boolean; readonly line: number; readonly lines: string[] } | undefined
  for (const [index, line] of markdown.split('\n').entries()) {
    const language = /^\s*```\s*([\w-]*)/.exec(line)?.[1]
    if (language === undefined) open?.lines.push(line)
    else if (open === undefined) open = { isShell: SHELLS.includes(language), line: index + 2, lines: [] }
    else {
      if (open.isShell) fences.push({ line: open.line, lines: open.lines })
      open = undefined
    }
  }
  return fences
}

/** Returns the Markdown files to which a Markdown file links, as paths relative to it. */
export function links(markdown: string): string[] {
  return [...markdown.matchAll(/\]\(([^)#:\s]+\.md)(?:#[^)]*)?\)/g)].map(([, path]) => path ?? '')
}

/**
 * Returns the commands of a block. A command continues on the next line as long as `isComplete` returns
 * false. Comments and empty lines are skipped.
 */
export function commands({ line, lines }: Fence, isComplete: (text: string) => boolean): Command[] {
  const found: Command[] = []
  let begun: string[] = []
  for (const [index, text] of lines.entries()) {
    if (begun.length === 0 && /^\s*(#|$)/.test(text)) continue
    begun.push(text)
    const whole = begun.join('\n')
    if (!isComplete(whole) && index < lines.length - 1) continue
    found.push({ line: line + index + 1 - begun.length, text: whole })
    begun = []
  }
  return found
}

/**
 * Returns false if a shell would expect another line: after a backslash at the end of a line, or inside
 * quotes.
 */
export function isComplete(text: string): boolean {
  if (/\\$/.test(text)) return false
  let quote = ''
  for (let i = 0; i < text.length; i++) {
    const letter = text[i] ?? ''
    if (letter === '\\' && quote !== "'") i++
    else if (quote === '') {
      const isComment = letter === '#' && /(^|\s)$/.test(text.slice(0, i))
      if (isComment) return !text.slice(i).includes('\n') || isComplete(text.slice(text.indexOf('\n', i) + 1))
      if (letter === "'" || letter === '"') quote = letter
    } else if (letter === quote) quote = ''
  }
  return quote === ''
}
