import { verify } from './verify.ts'

const form = document.querySelector('form') as HTMLFormElement
const output = document.querySelector('output') as HTMLOutputElement

form.addEventListener('submit', async (event) => {
  event.preventDefault()
  output.textContent = 'reading the validators'
  const fields = new FormData(form)
  const verdict = verify(String(fields.get('node')), String(fields.get('message')).trim())
  output.textContent = await verdict.catch((error: Error) => `failed: ${error.message}`)
})

// A link such as index.html?node=…&message=… fills in the form and verifies the message.
const parameters = new URLSearchParams(location.search)
for (const [name, value] of parameters) {
  const field = form.elements.namedItem(name)
  if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) field.value = value
}
if (parameters.has('message')) form.requestSubmit()
