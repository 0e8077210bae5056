// Reads the mail of those who sign up. MAILBOX is the built-in mailbox or an
// address that answers ?to=ADDRESS with the same JSON, a list of mails with
// their codes. MAILPIT is the address of a Mailpit instead.
import http from 'k6/http';
import { fail, sleep } from 'k6';
import { BASE_URL } from './lib.js';

const MAILBOX = __ENV.MAILBOX || `${BASE_URL}/dev/mail`;
const MAILPIT = (__ENV.MAILPIT || '').replace(/\/+$/, '');

/**
 * Waits for the mail and returns its code.
 * @param {string} email
 * @returns {string}
 */
export function code(email) {
  for (let i = 0; i < 240; i++) {
    const found = MAILPIT ? inMailpit(email) : inMailbox(email);
    if (found) return found;
    sleep(0.5);
  }
  return fail(`no mail for ${email} within two minutes`);
}

/** @param {string} email */
function inMailbox(email) {
  const mails = /** @type {Array<{ code: string }>} */ (read(`${MAILBOX}?to=${encodeURIComponent(email)}`));
  return mails.length > 0 ? mails[0].code : '';
}

/** @param {string} email */
function inMailpit(email) {
  const query = encodeURIComponent(`to:"${email}"`);
  const list = /** @type {{ messages: Array<{ ID: string }> }} */ (read(`${MAILPIT}/api/v1/search?query=${query}&limit=1`));
  if (list.messages.length === 0) return '';
  const mail = /** @type {{ Text: string }} */ (read(`${MAILPIT}/api/v1/message/${list.messages[0].ID}`));
  const line = /^(\d{6})\s*$/m.exec(mail.Text);
  return line ? line[1] : '';
}

/**
 * The mailbox is not what is measured: its requests are none `of:page`.
 * @param {string} address
 */
function read(address) {
  return /** @type {unknown} */ (http.get(address, { headers: { Accept: 'application/json' }, tags: { name: 'mailbox' } }).json());
}
