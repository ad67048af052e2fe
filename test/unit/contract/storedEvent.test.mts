import {
	canonicalStoredEvent,
	storedEvent,
	storedEventQuery,
} from '../../../nodes/shared/contract/storedEvent.ts';

const REQUEST = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
const NO_GUID = 'must be a GUID, for example 3f2504e0-4f89-41d3-9a0c-0305e82c3301';

const header = {
	request_id: REQUEST,
	client_id: 'partner-app',
	action: 'USER_ACCESS',
	created_at: '2026-03-09T12:30:00Z',
};

/** "Stored event record": payload, message, status, sentAt, isSuccessful. */
function recordOf(payload: unknown) {
	return {
		payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
		message: '{"status":"accepted"}',
		status: 200,
		sentAt: '2026-03-09T12:30:01',
		isSuccessful: true,
	};
}

const eventOf = (payload: unknown) => canonicalStoredEvent(recordOf(payload)).event;

describe('A stored event', () => {
	const bond = { user_id: 'u', class_id: 'c', profiles: [{ id: 'p', name: 'Student' }] };
	const revocation = { header: { ...header, action: 'USER_ACCESS_REVOCATION' }, payload: { bond } };

	test('keeps every field, the text of the event included, and gains the event', () => {
		const record = { ...recordOf(revocation), attempts: 2 };
		expect(canonicalStoredEvent(record)).toEqual({ ...record, event: revocation });
		expect(storedEvent.safeParse(canonicalStoredEvent(record)).success).toBe(true);
	});

	test('has the deviations of the samples healed in the event, and not in the text', () => {
		const user = {
			hash: 'h',
			user_id: 'u',
			date_of_birth: '2010-05-03T00:00:00',
			cell_phone: { ddi: '+55', value: '1' },
		};
		const sent = {
			header,
			payload: {
				structure_school: {
					school: { id: 's', cpnj: '11.222.333/0001-81' },
					class: { id: 'c', shift: { tagId: 't', name: 'Morning' } },
				},
				structure_users: { users: [user, { id: 'r', phone: '2' }] },
			},
		};
		const { payload, event } = canonicalStoredEvent(recordOf(sent));
		expect(event).toEqual({
			header,
			payload: {
				structure_school: {
					school: { id: 's', cnpj: '11.222.333/0001-81' },
					class: { id: 'c', shift: { id: 't', name: 'Morning' } },
				},
				structure_users: {
					users: [
						{ hash: 'h', id: 'u', date_of_birth: '2010-05-03', cell_phone: { ddi: '55', value: '1' } },
						{ id: 'r', cell_phone: { ddi: null, value: '2' } },
					],
				},
			},
		});
		expect(payload).toBe(JSON.stringify(sent));
	});

	test('keeps unknown fields of the event at every depth', () => {
		const sent = {
			header: { ...header, trace: 7 },
			payload: { bond: { ...bond, note: 'n' }, more: [1] },
			version: 2,
		};
		expect(eventOf(sent)).toEqual(sent);
	});

	test.each(['', 'not json', '{"header"', '[]', '[1]', 'null', '7', '"text"'])(
		'whose text is %j has null for an event',
		(payload) => {
			const record = recordOf(payload);
			expect(canonicalStoredEvent(record)).toEqual({ ...record, event: null });
		},
	);

	test('whose payload is an object already is read all the same', () => {
		expect(canonicalStoredEvent({ ...recordOf(''), payload: revocation }).event).toEqual(revocation);
	});

	test('without a payload has null for an event', () => {
		expect(canonicalStoredEvent({ status: 200 })).toEqual({ status: 200, event: null });
	});
});

describe('A request id', () => {
	const findings = (request_id: unknown) =>
		storedEventQuery.safeParse({ request_id }).error?.issues.map(({ message }) => message) ?? [];

	test('may be a GUID', () => expect(findings(REQUEST)).toEqual([]));

	test.each(['', `${REQUEST}/..`, null, undefined])('is refused when it is %j', (value) =>
		expect(findings(value)).toEqual([NO_GUID]),
	);

	test('is refused when it is the empty GUID', () => {
		expect(findings('00000000-0000-0000-0000-000000000000')).toEqual(['cannot be an empty GUID']);
	});
});
