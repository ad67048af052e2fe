/**
 * Invented events, written from the tables of the service's document ("Event resources"). Every field is
 * filled, so that a test takes away or spoils what it is about.
 */

/** The same seed gives the same GUID. */
export function guid(seed: number): string {
	return `00000000-0000-4000-8000-${seed.toString(16).padStart(12, '0')}`;
}

export const REQUEST_ID = guid(1);

export function header(action: string, requestId = REQUEST_ID) {
	return {
		request_id: requestId,
		client_id: 'client-aurora',
		action,
		created_at: '2026-03-09T12:30:00Z',
	};
}

function bond() {
	return {
		user_id: guid(20),
		class_id: guid(12),
		profiles: [{ id: guid(30), name: 'student' }],
		subjects: [{ id: guid(31), name: 'Mathematics' }],
	};
}

function structureSchool() {
	return {
		hash: 'hash-of-structure',
		tenant: {
			hash: 'hash-of-tenant',
			id: guid(10),
			name: 'Aurora Network',
			external_id: 'net-1',
			brand_name: 'Aurora',
		},
		school: {
			hash: 'hash-of-school',
			id: guid(11),
			name: 'Aurora School North',
			cnpj: '11.222.333/0001-81',
			external_id: 'school-1',
		},
		class: {
			hash: 'hash-of-class',
			id: guid(12),
			name: '5th grade A',
			school_id: guid(11),
			code: '5A',
			external_id: 'class-5a',
			course_code: 'EF5',
			description: 'Morning class',
			year: 2026,
			educational_stage: { id: guid(13), name: 'Elementary' },
			grade: { id: guid(14), name: '5th grade' },
			shift: { id: guid(15), name: 'Morning' },
		},
	};
}

function users() {
	return [
		{
			hash: 'hash-of-student',
			id: guid(20),
			account_id: guid(21),
			name: 'Lia Exemplar',
			date_of_birth: '2015-04-30',
			cell_phone: { ddi: '55', value: '11900000001' },
			email: 'lia@students.example',
			academic_email: 'lia@aurora.example',
			login: 'lia.exemplar',
			external_id: 'stud-1',
			documents: [{ type: 'identity', value: 'X-1' }],
			responsible_ids: [guid(22)],
		},
		{
			hash: 'hash-of-responsible',
			id: guid(22),
			account_id: guid(23),
			name: 'Rui Exemplar',
			date_of_birth: '1980-01-15',
			cell_phone: { ddi: '55', value: '11900000002' },
			email: 'rui@families.example',
			academic_email: null,
			login: null,
			external_id: 'resp-1',
			documents: [{ type: 'tax id', value: '000.000.000-00' }],
			responsible_ids: null,
		},
	];
}

/** USER_ACCESS of a student, whose list of users also holds the responsible person. */
export function userAccess(requestId = REQUEST_ID) {
	return {
		header: header('USER_ACCESS', requestId),
		payload: {
			structure_school: structureSchool(),
			structure_users: { hash: 'hash-of-users', users: users(), bond: bond() },
		},
	};
}

/** USER_ACCESS_REVOCATION. */
export function userAccessRevocation(requestId = REQUEST_ID) {
	return { header: header('USER_ACCESS_REVOCATION', requestId), payload: { bond: bond() } };
}
