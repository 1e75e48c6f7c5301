import { useEffect, useRef, useState } from 'preact/hooks'
import { link } from '../Routes.ts'
import { classify } from '../search/Classify.ts'

/** The search box. It says what the typed text is; Enter opens the page of the thing. `/` moves the focus here. */
export function SearchBox() {
  const [text, setText] = useState('')
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const listener = (event: KeyboardEvent) => {
      const isTyping = /^(INPUT|TEXTAREA|SELECT)$/.test((event.target as HTMLElement).tagName)
      if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
      event.preventDefault()
      input.current?.focus()
    }
    addEventListener('keydown', listener)
    return () => removeEventListener('keydown', listener)
  }, [])
  const found = text.trim() === '' ? undefined : classify(text)
  const submit = (event: Event) => {
    event.preventDefault()
    if (text.trim() === '') return
    location.hash = link('search', {}, { q: text.trim() })
    setText('')
    input.current?.blur()
  }
  return (
    <search class="search">
      <form onSubmit={submit}>
        <label class="hidden" for="search">
          Search for an id, an address, a node, a height or a message
        </label>
        <input
          ref={input}
          id="search"
          type="search"
          value={text}
          placeholder="Transaction, block, address, node, subnet, height …"
          autocomplete="off"
          spellcheck={false}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <span class="key" aria-hidden="true">
          /
        </span>
        <p class="search-hint" role="status">
          {found?.title}
        </p>
      </form>
    </search>
  )
}
