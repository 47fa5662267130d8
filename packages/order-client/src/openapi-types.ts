// Written by `npm run openapi` from docs/*openapi.yaml; edit those files instead.

export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export type components = {
    schemas: {
        /**
         * @description - `live`: real money
         *     - `sandbox`: the payment service’s sandbox; the two never meet, and an order id may exist in both
         * @enum {string}
         */
        Mode: "live" | "sandbox";
        /**
         * @description The state of an order: a function of its set of events, whatever order they arrived in.
         *     - `pending`: events, but none that decides
         *     - `failed`: only failures
         *     - `paid`: money was taken and none of it returned; transactions that were returned in full do not count
         *     - `partially_refunded`: some was returned; not all, or not certainly all
         *     - `refunded`: all that was taken was returned
         * @enum {string}
         */
        OrderStatus: "pending" | "failed" | "paid" | "partially_refunded" | "refunded";
        /**
         * @description - `pending`: events, but none that decides
         *     - `failed`: the payment failed
         *     - `paid`: the payment was taken
         *     - `partially_refunded`: a part was returned, or it is not certain that all was
         *     - `refunded`: all of it was returned
         * @enum {string}
         */
        TransactionStatus: "pending" | "failed" | "paid" | "partially_refunded" | "refunded";
        /**
         * @description Why a person must look at an order.
         *     - `multiple_paid_transactions`: more than one transaction holds money, possibly a double charge
         *     - `refund_without_payment`: refund without a matching payment; a late payment clears it
         *     - `refund_exceeds_payment`: more was returned than was paid, or the full amount twice
         *     - `refund_amount_ambiguous`: the amounts do not show how much was returned
         *     - `payment_amount_ambiguous`: two amounts for one transaction
         *     - `payment_amount_unreadable`: the amount of a payment is not a decimal number above zero
         *     - `currency_mixed`: several currencies in one order
         *     - `conflicting_event`: two different bodies with one event id, of which one counts
         *     - `transaction_in_two_orders`: events about the money of one transaction name this order and another one
         *     - `failure_and_payment`: one transaction has a payment and a failure, as when a debit is returned; the status
         *       does not change
         *     - `disputed`: a payment is disputed or was charged back; the status does not change
         *     - `too_many_events`: the order holds as many events as fit; later ones are missing from its state
         *     - `unreadable_fact`: this version of payhooks cannot read a part of the order, which is missing from its state
         * @enum {string}
         */
        Attention: "multiple_paid_transactions" | "refund_without_payment" | "refund_exceeds_payment" | "refund_amount_ambiguous" | "payment_amount_ambiguous" | "payment_amount_unreadable" | "currency_mixed" | "conflicting_event" | "transaction_in_two_orders" | "failure_and_payment" | "disputed" | "too_many_events" | "unreadable_fact";
        /**
         * @description What became of a signed body. Open set: later versions may add values.
         *     - `applied`: it is part of the state of its order; of two bodies under one id, the other may count instead
         *     - `pending`: stored; it does not count towards its order yet, which takes a moment unless something fails
         *     - `recorded`: stored; it names no order and decides nothing about money
         *     - `unassigned`: stored, not applied: it names no order, and none is known for its transaction so far
         *     - `conflict`: stored: a second, different event under one id, which a person must judge
         *     - `quarantined`: stored, not applied; a person must judge it; see `reason`
         *     - `unrecognised`: stored, not an event; it has no usable event id, so only the operations API shows it
         * @enum {string}
         */
        Outcome: "applied" | "pending" | "recorded" | "unassigned" | "conflict" | "quarantined" | "unrecognised";
        /**
         * @description Why a body is quarantined or unrecognised.
         *     - `sandbox_flag_missing`: quarantined: the body lacks the sandbox flag
         *     - `sandbox_flag_disagrees`: quarantined: a sandbox event signed with a live key, or the other way round
         *     - `order_id_invalid`: quarantined: the order id is not text, not valid Unicode, or too long
         *     - `transaction_id_invalid`: quarantined: the transaction id is not text, not valid Unicode, or too long
         *     - `order_refused`: quarantined: its order is full
         *     - `not_utf8`: unrecognised: not text
         *     - `not_json`: unrecognised: not JSON
         *     - `not_an_object`: unrecognised: JSON, but not an object
         *     - `id_missing`: unrecognised: no event id
         *     - `id_invalid`: unrecognised: the event id is not valid Unicode, or too long
         *     - `event_name_missing`: unrecognised: no event name
         *     - `event_name_invalid`: unrecognised: the event name is not valid Unicode, or too long
         * @enum {string}
         */
        Reason: "sandbox_flag_missing" | "sandbox_flag_disagrees" | "order_id_invalid" | "transaction_id_invalid" | "order_refused" | "not_utf8" | "not_json" | "not_an_object" | "id_missing" | "id_invalid" | "event_name_missing" | "event_name_invalid";
        /**
         * @description Why a stored body waits for a person.
         *     - `unassigned`: it names no order, and none is known for its transaction so far
         *     - `quarantined`: it was not applied; see `reason`
         *     - `order_refused`: its order is full
         *     - `conflict`: another body arrived under its event id
         *     - `unrecognised`: it is not an event; only the operations API shows it
         *     - `event_name`: the first event of a name that has no meaning; only the operations API shows it
         * @enum {string}
         */
        WaitingKind: "unassigned" | "quarantined" | "order_refused" | "conflict" | "unrecognised" | "event_name";
        /** @description One transaction of an order, from its events. */
        Transaction: {
            /** @description `null` for an event that names no transaction; it stands alone. */
            id: string | null;
            status: components["schemas"]["TransactionStatus"];
            /** @description The amount of the payment exactly as the payment service wrote it: a decimal number, unless the order lists `payment_amount_unreadable`. Compare it as a decimal. */
            amount: string | null;
            /** @description As the payment service wrote it. */
            currency: string | null;
            /** @description As the payment service wrote it, microseconds included. */
            created_at: string | null;
        };
        /** @description An event that counts towards the state of its order. */
        OrderEvent: {
            /** @description The id inside the signed body. Every delivery of one event has the same id. */
            id: string;
            /**
             * @description Open set: the payment service may add names.
             * @example transaction.paid
             * @example transaction.refunded
             */
            event_name: string;
            /** @description The transaction that it names; `null` when it names none. */
            transaction_id: string | null;
            /** @description Its amount exactly as the payment service wrote it; `null` when it has none. A refund's may be its own or the total so far. */
            amount: string | null;
            /** @description As the payment service wrote it; `null` when the event has none. */
            currency: string | null;
            /**
             * Format: date-time
             * @description When the delivery that was recorded arrived. `null` if the row of the event cannot be read; the event still counts.
             */
            received_at: string | null;
            /**
             * Format: date-time
             * @description When it was stored. `null` like `received_at`.
             */
            recorded_at: string | null;
            /** @description The status of the order after this event, in the order in which they were received, as the events are read today. `null` for all but the newest 100 events of an order. */
            status_after: components["schemas"]["OrderStatus"] | null;
        };
        /** @description What happened to an order. Holds no customer data. */
        Order: {
            /** @description The merchant’s id of the order, as the payment events name it. */
            order_id: string;
            mode: components["schemas"]["Mode"];
            status: components["schemas"]["OrderStatus"];
            /** @description Empty unless a person must look. No value twice. */
            attention: components["schemas"]["Attention"][];
            /** @description By time of creation, then by id. */
            transactions: components["schemas"]["Transaction"][];
            /** @description In the order in which they were received. */
            events: components["schemas"]["OrderEvent"][];
            /** @description Counts the changes of the order, also those that a repair makes. It never goes back, so of two views of an order the one with the higher sequence is newer. Events of the order feed carry the same number. */
            sequence: number;
            /**
             * Format: date-time
             * @description When its set of facts last changed. Informative; `sequence` decides what is newer.
             */
            updated_at: string;
        };
        /** @description A page of orders. */
        OrderList: {
            /** @description In their current state, by the time of their latest change, oldest first; newest first with `sort_order=desc`. */
            orders: components["schemas"]["Order"][];
            /** @description Where to continue. `null`: the end for now; keep the last one that was not null. */
            next_cursor: string | null;
        };
        /** @description An event of an order and its origin. Holds no customer data. Fields of its row are `null` if that cannot be read. Of several bodies under one id, they are those of the body that counts. */
        OrderEventDetail: {
            /** @description The id inside the signed body. Every delivery of one event has the same id. */
            id: string;
            /**
             * @description Open set: the payment service may add names.
             * @example transaction.paid
             * @example transaction.refunded
             */
            event_name: string;
            /** @description The transaction that it names; `null` when it names none. */
            transaction_id: string | null;
            /** @description Its amount exactly as the payment service wrote it; `null` when it has none. A refund's may be its own or the total so far. */
            amount: string | null;
            /** @description As the payment service wrote it; `null` when the event has none. */
            currency: string | null;
            /**
             * Format: date-time
             * @description When the delivery that was recorded arrived. `null` if the row of the event cannot be read; the event still counts.
             */
            received_at: string | null;
            /**
             * Format: date-time
             * @description When it was stored. `null` like `received_at`.
             */
            recorded_at: string | null;
            /** @description The status of the order after this event, in the order in which they were received, as the events are read today. `null` for all but the newest 100 events of an order. */
            status_after: components["schemas"]["OrderStatus"] | null;
            /** @description The attention of the order after this event, before operators resolved any (`acts` has when they did). `null` for all but the newest 100 bodies that changed the order. What has no time of its own, such as a payment of the transaction in another order, counts from the newest event on. */
            attention_after: components["schemas"]["Attention"][] | null;
            /** @description Always `applied`: these events make the state. */
            outcome: components["schemas"]["Outcome"];
            /** @description A short hash of the private key that signed it. */
            key_id: string | null;
            /** @description SHA-256 of the signed bytes, lowercase hexadecimal. */
            body_sha256: string | null;
            /** @description Whether the order counts what this body says. `false`: no stored body says what counts, because that changed while this was read; the fields are then those of the first body. `null`: not looked up, because the order has more than 50 events, the id more than 50 bodies, or one of them cannot be read. */
            counts: boolean | null;
            /** @description The other bodies under the id, in the order in which they were received. `null` like `counts`; `GET /events/{event_id}` shows them. */
            others: components["schemas"]["OtherBody"][] | null;
        };
        /** @description A body under the id of an event that does not count in the order. Without its bytes. */
        OtherBody: {
            outcome: components["schemas"]["Outcome"];
            /** @description `null` unless the body is quarantined. */
            reason: components["schemas"]["Reason"] | null;
            /** @description Why it waits for a person; `null` when it does not. */
            waiting: components["schemas"]["WaitingKind"] | null;
            /** @description The order that it names, or else the order of its transaction. */
            order_id: string | null;
            /**
             * Format: date-time
             * @description When the delivery arrived.
             */
            received_at: string;
            /**
             * Format: date-time
             * @description When it was stored.
             */
            recorded_at: string;
            /** @description A short hash of the private key that signed it. */
            key_id: string;
            /** @description SHA-256 of the signed bytes, lowercase hexadecimal. */
            body_sha256: string;
            /**
             * @description It does not count in this order.
             * @constant
             */
            counts: false;
            /** @description The amount in this body, as the payment service wrote it; `null` when it has none. */
            amount: string | null;
            /** @description As the payment service wrote it; `null` like `amount`. */
            currency: string | null;
            /** @description The status of the order after this body. `null` for one that added nothing to the order. */
            status_after: components["schemas"]["OrderStatus"] | null;
            /** @description The attention after it; `null` like `status_after`. */
            attention_after: components["schemas"]["Attention"][] | null;
        };
        /**
         * @description A rule that made the state of an order. Each attention is one: its reason names what raised it. Open set:
         *     later versions may add values.
         *     - `payment_counted`: the transaction was paid; of several payment events the largest amount counts
         *     - `payment_failed`: the payment of the transaction failed
         *     - `refund_partial`: refunds returned a part, or not certainly all
         *     - `refund_full`: a refund returned all that is known to be paid
         *     - `transaction_returned_in_full`: a refund returned all of the transaction, which does not count while
         *       another holds money
         *     - `nothing_decides`: no event decides about money
         *     - `multiple_paid_transactions`: the payments of all transactions that hold money
         *     - `refund_without_payment`: the refunds of a transaction without a payment
         *     - `refund_exceeds_payment`: the refunds of the transaction
         *     - `refund_amount_ambiguous`: the refunds of the transaction
         *     - `payment_amount_ambiguous`: the payments of the transaction, with different amounts
         *     - `payment_amount_unreadable`: the payments with such an amount
         *     - `currency_mixed`: the events with a currency by which money moved, or failed to
         *     - `conflicting_event`: the ids under which different bodies arrived
         *     - `transaction_in_two_orders`: the events in this order about the money of a transaction that names another, too
         *     - `failure_and_payment`: the failures and the payments of the transaction
         *     - `disputed`: the events that report the dispute
         *     - `too_many_events`: the order is full
         *     - `unreadable_fact`: this version cannot read a part of the order
         * @enum {string}
         */
        ReasonRule: "payment_counted" | "payment_failed" | "refund_partial" | "refund_full" | "transaction_returned_in_full" | "nothing_decides" | "multiple_paid_transactions" | "refund_without_payment" | "refund_exceeds_payment" | "refund_amount_ambiguous" | "payment_amount_ambiguous" | "payment_amount_unreadable" | "currency_mixed" | "conflicting_event" | "transaction_in_two_orders" | "failure_and_payment" | "disputed" | "too_many_events" | "unreadable_fact";
        /** @description One rule that made the state of an order, and what it was applied to. */
        StateReason: {
            rule: components["schemas"]["ReasonRule"];
            /** @description `null` for a rule about the whole order, and for an event that names no transaction. */
            transaction_id: string | null;
            /** @description The events that are the reason, by id; empty when none of this order is. */
            event_ids: string[];
            /** @description The amount that counts, of a payment or of the only refund, as the payment service wrote it; otherwise `null`. */
            amount: string | null;
            /** @description Of that amount. */
            currency: string | null;
        };
        /**
         * @description What an operator did. Open set: later versions may add values.
         *     - `admit`: applied an event that waited
         *     - `dismiss`: took an event off the list of what waits without applying it
         *     - `resolve`: ended an attention of an order; a new fact raises it again
         *     - `replay`: read stored bodies again
         *     - `erase`: removed customer data
         * @enum {string}
         */
        ActName: "admit" | "dismiss" | "resolve" | "replay" | "erase";
        /** @description What an operator did that concerns an order. */
        OrderAct: {
            act: components["schemas"]["ActName"];
            /** @description The IAM identity of the operator. */
            by: string;
            /**
             * Format: date-time
             * @description When.
             */
            at: string;
            /** @description The reason that the operator gave. */
            reason: string;
            /** @description The event that it was about. */
            event_id: string | null;
            /** @description The order that it was about. */
            order_id: string | null;
            /** @description The body that it was about. */
            body_sha256: string | null;
            /** @description The attention that a resolution ended. */
            attention: string | null;
        };
        /** @description The events that make the state of an order, those that wait, and its acts. */
        OrderEvents: {
            /** @description The merchant’s id of the order. */
            order_id: string;
            mode: components["schemas"]["Mode"];
            /** @description Why status and attention are what they are, those of the status first. An event that no reason names changes neither, unless an operator has resolved an attention. The same for every order of arrival. */
            reasons: components["schemas"]["StateReason"][];
            /** @description In the order in which they were received. */
            events: components["schemas"]["OrderEventDetail"][];
            /** @description The events that name the order and wait for a person, in the order in which they were received. */
            waiting: components["schemas"]["WaitingEvent"][];
            /** @description `false` when more events wait than one request searches, which is thousands: others may name the order. */
            waiting_complete: boolean;
            /** @description What operators did, oldest first. */
            acts: components["schemas"]["OrderAct"][];
        };
        /** @description An order of a transaction. */
        TransactionOrder: {
            /** @description The merchant’s id of the order. */
            order_id: string;
            /** @description That of the whole order. */
            status: components["schemas"]["OrderStatus"];
            /** @description That of the whole order. */
            attention: components["schemas"]["Attention"][];
            /** @description `null` while the order holds no event of the transaction, for a moment or because it is full. */
            transaction: components["schemas"]["Transaction"] | null;
        };
        /** @description A transaction and its orders. Holds no customer data. */
        TransactionDetail: {
            /** @description The id of the transaction. */
            transaction_id: string;
            mode: components["schemas"]["Mode"];
            /** @description Those that events about its money name, or that an operator gave it; more than one is reported as `transaction_in_two_orders`. */
            orders: components["schemas"]["TransactionOrder"][];
            /** @description Events that name the transaction and no order. They count in each order in which it was paid, or which an operator gave it. */
            events_without_order_id: {
                /** @description The id inside the signed body. Every delivery of one event has the same id. */
                event_id: string;
                /**
                 * @description Open set: the payment service may add names.
                 * @example transaction.paid
                 * @example transaction.refunded
                 */
                event_name: string;
            }[];
        };
        /** @description An event that names an order and waits: it is stored, and a person decides whether it counts. Holds no customer data. */
        WaitingEvent: {
            /** @description The id inside the signed body. Every delivery of one event has the same id. */
            event_id: string;
            /**
             * @description Open set: the payment service may add names.
             * @example transaction.paid
             * @example transaction.refunded
             */
            event_name: string;
            kind: components["schemas"]["WaitingKind"];
            outcome: components["schemas"]["Outcome"];
            /** @description `null` unless the body is quarantined. */
            reason: components["schemas"]["Reason"] | null;
            /**
             * Format: date-time
             * @description When the delivery arrived.
             */
            received_at: string;
            /** @description SHA-256 of the signed bytes, lowercase hexadecimal. */
            body_sha256: string;
        };
        /** @description One signed body, without its bytes. */
        EventRecord: {
            outcome: components["schemas"]["Outcome"];
            /** @description `null` unless the body is quarantined or unrecognised. */
            reason: components["schemas"]["Reason"] | null;
            /** @description `null` when the body has none. */
            event_name: string | null;
            /** @description The order that it names, or else an order of its transaction. `null` when no order is known, or when no key can hold the one that it names. */
            order_id: string | null;
            /** @description `null` when the body has none. */
            transaction_id: string | null;
            /**
             * Format: date-time
             * @description When the delivery arrived.
             */
            received_at: string;
            /**
             * Format: date-time
             * @description When it was stored.
             */
            recorded_at: string;
            /** @description A short hash of the private key that signed it. */
            key_id: string;
            /** @description The signature that came with the bytes: with the private key, anyone can prove that it signed them. */
            signature: string;
            /** @description SHA-256 of the signed bytes, lowercase hexadecimal. */
            body_sha256: string;
        };
        /** @description What was received under an event id, byte for byte. The payload holds customer data. */
        Event: {
            /** @description The id inside the signed body. Every delivery of one event has the same id. */
            id: string;
            mode: components["schemas"]["Mode"];
            outcome: components["schemas"]["Outcome"];
            /** @description `null` unless the body is quarantined or unrecognised. */
            reason: components["schemas"]["Reason"] | null;
            /** @description `null` when the body has none. */
            event_name: string | null;
            /** @description The order that it names, or else an order of its transaction. `null` when no order is known, or when no key can hold the one that it names. */
            order_id: string | null;
            /** @description `null` when the body has none. */
            transaction_id: string | null;
            /**
             * Format: date-time
             * @description When the delivery arrived.
             */
            received_at: string;
            /**
             * Format: date-time
             * @description When it was stored.
             */
            recorded_at: string;
            /** @description A short hash of the private key that signed it. */
            key_id: string;
            /** @description The signature that came with the bytes: with the private key, anyone can prove that it signed them. */
            signature: string;
            /** @description SHA-256 of the signed bytes, lowercase hexadecimal. */
            body_sha256: string;
            /** @description The signed bytes exactly as received. `null` when they have expired (`eventRetentionDays`). */
            body_base64: string | null;
            /** @description The body’s `payload` as JSON of any kind; `null` when the body has expired. The bytes are authoritative. */
            payload: unknown;
            /** @description Other bodies with the same id: conflicts and quarantined bodies; 49 at most, and none that cannot be read. */
            others: components["schemas"]["EventRecord"][];
        };
        /** @description Problem details, RFC 9457. */
        Problem: {
            /** @description Always `about:blank`: the status is the kind of problem. */
            type: string;
            /** @description The name of the status, or of the fault. */
            title: string;
            /** @description The status of the response. */
            status: number;
            /** @description A sentence for a person. */
            detail: string;
        };
        /** @description Problem details of an order in which no event counts. */
        OrderNotFoundProblem: {
            /** @description Always `about:blank`. */
            type: string;
            /** @description The name of the status. */
            title: string;
            /**
             * @description The status of the response.
             * @constant
             */
            status: 404;
            /** @description Whether no event has named the order, or the events that did wait. */
            detail: string;
            /** @description The events that name the order and wait for a person, in the order in which they were received. */
            waiting: components["schemas"]["WaitingEvent"][];
            /** @description What operators did with events that named the order, oldest first. */
            acts: components["schemas"]["OrderAct"][];
        };
        /** @description Problem details of a parameter. */
        ParameterProblem: {
            /** @description Always `about:blank`. */
            type: string;
            /** @description The name of the status. */
            title: string;
            /**
             * @description The status of the response.
             * @constant
             */
            status: 400;
            /** @description The parameter, what was given and what is expected. */
            detail: string;
            /** @description The query parameter that is wrong. */
            parameter: string;
        };
        /** @description What API Gateway itself sends, before or instead of payhooks. */
        GatewayMessage: {
            /** @description A word or two, such as `Forbidden`. */
            message: string;
        };
        /**
         * @description What became of a signed body. Open set.
         *     - `applied`: it was given to its order; `counts` shows whether the order counts it
         *     - `recorded`: stored; it names no order and decides nothing about money
         *     - `unassigned`: stored, not applied: it names no order, and none is known for its transaction so far
         *     - `conflict`: stored: a second, different event under one id
         *     - `quarantined`: stored, not applied; see `reason`
         *     - `unrecognised`: stored, not an event
         * @enum {string}
         */
        StoredOutcome: "applied" | "recorded" | "unassigned" | "conflict" | "quarantined" | "unrecognised";
        /** @description A page of what waits. */
        WaitingList: {
            events: components["schemas"]["WaitingItem"][];
            /** @description Where to continue; `null` at the end. */
            next_cursor: string | null;
        };
        /** @description Something that waits for a person. Holds no customer data. */
        WaitingItem: {
            kind: components["schemas"]["WaitingKind"];
            /** @description `null` for an event name. */
            outcome: components["schemas"]["StoredOutcome"] | null;
            /** @description `null` unless the body is quarantined or unrecognised. */
            reason: components["schemas"]["Reason"] | null;
            /** @description `null` for a body that is no event. */
            event_id: string | null;
            /** @description `null` for a body that is no event. */
            event_name: string | null;
            /** @description The order that the body names, or that it was assigned to. */
            order_id: string | null;
            /** @description The transaction that the body names. */
            transaction_id: string | null;
            /**
             * Format: date-time
             * @description `null` for an event name.
             */
            received_at: string | null;
            /**
             * Format: date-time
             * @description When it was stored.
             */
            recorded_at: string;
            /** @description `null` for an event name. */
            body_sha256: string | null;
            /** @description `null` for an event name. */
            key_id: string | null;
        };
        /** @description How much waits of each kind. */
        WaitingCounts: {
            counts: components["schemas"]["WaitingCount"][];
        };
        /** @description How much waits of one kind in one mode. */
        WaitingCount: {
            mode: components["schemas"]["Mode"];
            kind: components["schemas"]["WaitingKind"];
            /** @description Above some thousands a lower bound. */
            count: number;
            /**
             * Format: date-time
             * @description `null` when nothing waits.
             */
            oldest_recorded_at: string | null;
        };
        /** @description One signed body, without its bytes. */
        StoredEventRecord: {
            /**
             * @description - `event`: the event
             *     - `conflict`: another body under its id
             *     - `quarantine`: a body that is not applied
             *     - `unrecognised`: a body that is no event
             * @enum {string}
             */
            record: "event" | "conflict" | "quarantine" | "unrecognised";
            outcome: components["schemas"]["StoredOutcome"];
            /** @description `null` unless the body is quarantined or unrecognised. */
            reason: components["schemas"]["Reason"] | null;
            /** @description `null` when it does not wait. */
            waiting: components["schemas"]["WaitingKind"] | null;
            /** @description `null` for a body that is no event. */
            event_name: string | null;
            /** @description The order that the body names, or else the one that it was assigned to. */
            order_id: string | null;
            /** @description The transaction that the body names. */
            transaction_id: string | null;
            /**
             * Format: date-time
             * @description When the delivery arrived.
             */
            received_at: string;
            /**
             * Format: date-time
             * @description When it was stored.
             */
            recorded_at: string;
            /** @description A short hash of the private key that signed it. */
            key_id: string;
            /** @description The signature that came with the bytes. */
            signature: string;
            /** @description SHA-256 of the signed bytes. */
            body_sha256: string;
            /** @description Whether the bytes are still stored: they may expire, or be erased. */
            has_body: boolean;
            /** @description The decision of an operator about a body that waited. */
            judged: components["schemas"]["Judgement"] | null;
            /** @description Who removed the bytes, when and why. */
            erased: components["schemas"]["Erasure"] | null;
            /** @description Whether its order counts what this body says: of several bodies under one id, one counts. */
            counts: boolean;
        };
        /** @description The decision about a body that waited. */
        Judgement: {
            /**
             * @description Whether it takes effect.
             * @enum {string}
             */
            verdict: "admitted" | "dismissed";
            /** @description The ARN of the IAM identity. */
            by: string;
            /**
             * Format: date-time
             * @description When.
             */
            at: string;
            /** @description Why. */
            reason: string;
            /** @description The order that an admitted event was given. */
            order_id: string | null;
        };
        /** @description Who removed the bytes of a body, when and why. */
        Erasure: {
            /** @description The ARN of the IAM identity. */
            by: string;
            /**
             * Format: date-time
             * @description When.
             */
            at: string;
            /** @description Why. */
            reason: string;
        };
        /** @description What an operator did. */
        OperatorAct: {
            act: components["schemas"]["ActName"];
            /** @description The ARN of the IAM identity. */
            by: string;
            /**
             * Format: date-time
             * @description When.
             */
            at: string;
            /** @description Why. */
            reason: string;
            /** @description The event that it concerned. */
            event_id: string | null;
            /** @description The order that it concerned. */
            order_id: string | null;
            /** @description The body that it concerned. */
            body_sha256: string | null;
        };
        /** @description Every body under an event id, without customer data. */
        EventRecords: {
            /** @description The id inside the signed bodies. */
            id: string;
            mode: components["schemas"]["Mode"];
            /** @description The event first, the others as they were received. */
            records: components["schemas"]["StoredEventRecord"][];
            /** @description Oldest first. */
            acts: components["schemas"]["OperatorAct"][];
        };
        /** @description Bodies with their bytes. Holds customer data. */
        EventBodies: {
            /** @description `null` for a body that is no event. */
            id: string | null;
            mode: components["schemas"]["Mode"];
            records: components["schemas"]["RecordWithBody"][];
            /** @description Bodies were left out: `body_sha256` selects one of them. */
            more: boolean;
            /** @description Oldest first. */
            acts: components["schemas"]["OperatorAct"][];
        };
        /** @description One signed body, byte for byte. Holds customer data. */
        RecordWithBody: {
            /**
             * @description - `event`: the event
             *     - `conflict`: another body under its id
             *     - `quarantine`: a body that is not applied
             *     - `unrecognised`: a body that is no event
             * @enum {string}
             */
            record: "event" | "conflict" | "quarantine" | "unrecognised";
            outcome: components["schemas"]["StoredOutcome"];
            /** @description `null` unless the body is quarantined or unrecognised. */
            reason: components["schemas"]["Reason"] | null;
            /** @description `null` when it does not wait. */
            waiting: components["schemas"]["WaitingKind"] | null;
            /** @description `null` for a body that is no event. */
            event_name: string | null;
            /** @description The order that the body names, or else the one that it was assigned to. */
            order_id: string | null;
            /** @description The transaction that the body names. */
            transaction_id: string | null;
            /**
             * Format: date-time
             * @description When the delivery arrived.
             */
            received_at: string;
            /**
             * Format: date-time
             * @description When it was stored.
             */
            recorded_at: string;
            /** @description A short hash of the private key that signed it. */
            key_id: string;
            /** @description The signature that came with the bytes. */
            signature: string;
            /** @description SHA-256 of the signed bytes. */
            body_sha256: string;
            /** @description Whether the bytes are still stored: they may expire, or be erased. */
            has_body: boolean;
            /** @description The decision of an operator about a body that waited. */
            judged: components["schemas"]["Judgement"] | null;
            /** @description Who removed the bytes, when and why. */
            erased: components["schemas"]["Erasure"] | null;
            /** @description Whether its order counts what this body says: of several bodies under one id, one counts. */
            counts: boolean;
            /** @description The signed bytes exactly as received. `null` when they are not stored, or left out. */
            body_base64: string | null;
            /** @description The body’s `payload` as JSON of any kind, or `null`. The bytes are authoritative. */
            payload: unknown;
        };
        /** @description When a signature matched each private key last. */
        KeyUses: {
            keys: components["schemas"]["KeyUse"][];
        };
        /** @description The last use of a private key. */
        KeyUse: {
            mode: components["schemas"]["Mode"];
            /** @description A short hash of the private key. */
            key_id: string;
            /**
             * Format: date-time
             * @description May be some minutes late.
             */
            last_matched_at: string;
        };
        /** @description An event, or a body that is no event. */
        AdmitRequest: {
            /**
             * @description `live` when omitted.
             * @enum {string}
             */
            mode?: "live" | "sandbox";
            /** @description Respond what would change; change nothing. `false` when omitted. */
            dry_run?: boolean;
            /** @description Why, in 1 to 512 bytes of JSON. Required unless `dry_run`. */
            reason?: string;
            /** @description The event. */
            event_id?: string;
            /** @description The body: one of several under the event id, or without an event id one that is no event. */
            body_sha256?: string;
            /** @description The order. */
            order_id?: string;
            /** @description Refused: a name takes effect by a meaning in `eventMeanings`. */
            event_name?: string;
        };
        /** @description An event, a body that is no event, or an event name. */
        DismissRequest: {
            /**
             * @description `live` when omitted.
             * @enum {string}
             */
            mode?: "live" | "sandbox";
            /** @description Respond what would change; change nothing. `false` when omitted. */
            dry_run?: boolean;
            /** @description Why, in 1 to 512 bytes of JSON. Required unless `dry_run`. */
            reason?: string;
            /** @description The event. */
            event_id?: string;
            /** @description The body: one of several under the event id, or without an event id one that is no event. */
            body_sha256?: string;
            /** @description A name without a meaning. */
            event_name?: string;
        };
        /** @description An order, and the attentions to end. */
        ResolveRequest: {
            /**
             * @description `live` when omitted.
             * @enum {string}
             */
            mode?: "live" | "sandbox";
            /** @description Respond what would change; change nothing. `false` when omitted. */
            dry_run?: boolean;
            /** @description Why, in 1 to 512 bytes of JSON. Required unless `dry_run`. */
            reason?: string;
            /** @description The order. */
            order_id: string;
            /** @description The `sequence` of the order that you saw. */
            sequence: number;
            /** @description The attentions to end; all when omitted. */
            attention?: string[];
        };
        /** @description An event, an order, or all events of a time. */
        ReplayRequest: {
            /**
             * @description `live` when omitted.
             * @enum {string}
             */
            mode?: "live" | "sandbox";
            /** @description Respond what would change; change nothing. `false` when omitted. */
            dry_run?: boolean;
            /** @description Why, in 1 to 512 bytes of JSON. Required unless `dry_run`. */
            reason?: string;
            /** @description The event. */
            event_id?: string;
            /** @description The order. */
            order_id?: string;
            /**
             * Format: date-time
             * @description Events recorded at this time or later.
             */
            since?: string;
            /**
             * Format: date-time
             * @description Events recorded at this time or earlier.
             */
            until?: string;
            /** @description The `next_cursor` of an earlier response, with the same other fields. */
            cursor?: string;
            /** @description Publish the orders again although their state is the same. */
            publish?: boolean;
            /**
             * @description Read the bodies again, or use the stored readings. `current` when omitted.
             * @enum {string}
             */
            readings?: "current" | "stored";
            /** @description Events in one page at most. */
            limit?: number;
        };
        /** @description Where to continue. */
        VerifyRequest: {
            /**
             * @description `live` when omitted.
             * @enum {string}
             */
            mode?: "live" | "sandbox";
            /** @description Events in one page at most. */
            limit?: number;
            /** @description The `next_cursor` of an earlier response, with the same other fields. */
            cursor?: string;
        };
        /** @description An event, all events of an order, or a body that is no event. */
        EraseRequest: {
            /**
             * @description `live` when omitted.
             * @enum {string}
             */
            mode?: "live" | "sandbox";
            /** @description Respond what would change; change nothing. `false` when omitted. */
            dry_run?: boolean;
            /** @description Why, in 1 to 512 bytes of JSON. Required unless `dry_run`. */
            reason?: string;
            /** @description The event. */
            event_id?: string;
            /** @description The order. */
            order_id?: string;
            /** @description The body: one of several under the event id, or without an event id one that is no event. */
            body_sha256?: string;
            /** @description The `next_cursor` of an earlier response, with the same other fields. */
            cursor?: string;
        };
        /** @description What an act did, or would do. */
        ActResult: {
            act: components["schemas"]["ActName"];
            mode: components["schemas"]["Mode"];
            /** @description Whether nothing was changed. */
            dry_run: boolean;
            /** @description `false` when everything was so already. */
            changed: boolean;
            /** @description The ARN of the IAM identity. */
            by: string;
            /**
             * Format: date-time
             * @description When.
             */
            at: string;
            /** @description Why. */
            reason: string;
            events: components["schemas"]["EventChange"][];
            /** @description Only orders that change. */
            orders: components["schemas"]["OrderChange"][];
        };
        /** @description Problem details of a state that forbids an act. */
        ConflictProblem: {
            /** @description Always `about:blank`. */
            type: string;
            /** @description `Conflict`, or `Busy` with `retry_after_seconds`. */
            title: string;
            /**
             * @description The status of the response.
             * @constant
             */
            status: 409;
            /** @description The state and what to do. */
            detail: string;
            /** @description After which the same request may succeed. */
            retry_after_seconds?: number;
        };
        /** @description What a page of a replay did, or would do. */
        ReplayResult: {
            act: components["schemas"]["ActName"];
            mode: components["schemas"]["Mode"];
            /** @description Whether nothing was changed. */
            dry_run: boolean;
            /** @description `false` when everything was so already. */
            changed: boolean;
            /** @description The ARN of the IAM identity. */
            by: string;
            /**
             * Format: date-time
             * @description When.
             */
            at: string;
            /** @description Why. */
            reason: string;
            events: components["schemas"]["EventChange"][];
            /** @description Only orders that change. */
            orders: components["schemas"]["OrderChange"][];
            /** @description Where to continue; `null` at the end. */
            next_cursor: string | null;
            /** @description Events that were read again, changed or not. */
            replayed: number;
            /** @description Events that stayed as they are. */
            left: components["schemas"]["LeftEvent"][];
            /** @description After which the run can go on, because an event was delivered a moment ago; `null` when it can at once. */
            retry_after_seconds: number | null;
        };
        /** @description An event that a replay left as it is. */
        LeftEvent: {
            /** @description The event. */
            event_id: string;
            /** @description Why. `too_many_bodies`: more than 50 · `unreadable`: this version cannot read a row of it · `too_large`: it touches more rows than one transaction takes · `fact_without_event`: its row is missing, and what its order counts stays · otherwise why this version would not accept a body, whose stored reading stays. */
            reason: string;
        };
        /** @description What a page of an erasure removed, or would remove. */
        EraseResult: {
            act: components["schemas"]["ActName"];
            mode: components["schemas"]["Mode"];
            /** @description Whether nothing was changed. */
            dry_run: boolean;
            /** @description `false` when everything was so already. */
            changed: boolean;
            /** @description The ARN of the IAM identity. */
            by: string;
            /**
             * Format: date-time
             * @description When.
             */
            at: string;
            /** @description Why. */
            reason: string;
            events: components["schemas"]["EventChange"][];
            /** @description Only orders that change. */
            orders: components["schemas"]["OrderChange"][];
            /** @description Where to continue; `null` at the end. */
            next_cursor: string | null;
            erased: components["schemas"]["ErasedBody"][];
            /** @description What the erasure does not reach. */
            remains: components["schemas"]["Remains"][];
        };
        /** @description A body that was removed, or would be. */
        ErasedBody: {
            /** @description `null` for a body that is no event. */
            event_id: string | null;
            /** @description SHA-256 of the signed bytes. */
            body_sha256: string;
            /** @description Its size. */
            bytes: number;
        };
        /** @description Something that an erasure leaves, and where. */
        Remains: {
            what: string;
            where: string;
        };
        /** @description A page of the comparison of orders with their events. */
        VerifyResult: {
            mode: components["schemas"]["Mode"];
            /** @description How many of each this page has compared. */
            compared: {
                events: number;
                orders: number;
            };
            differences: components["schemas"]["Difference"][];
            /** @description Where to continue; `null` at the end. */
            next_cursor: string | null;
        };
        /** @description A place where tables and events disagree. */
        Difference: {
            kind: components["schemas"]["DifferenceKind"];
            /** @description The order that differs. */
            order_id: string | null;
            /** @description The event that differs. */
            event_id: string | null;
            /** @description The order as it is, and as the fold of its events, with the first of its differences in a response; `null` with the others, and where a replay would not change it. */
            before: components["schemas"]["OrderSnapshot"] | null;
            /** @description The order as it is, and as the fold of its events, with the first of its differences in a response; `null` with the others, and where a replay would not change it. */
            after: components["schemas"]["OrderSnapshot"] | null;
        };
        /**
         * @description A replay with `readings: stored` repairs the first five. Open set.
         *     - `missing_fact`: an order lacks a fact of an event
         *     - `stale_fact`: an order counts a fact that no body of the event yields
         *     - `missing_mark`: an order lacks the mark of a conflict or of a shared transaction
         *     - `stale_mark`: an order has such a mark without a reason
         *     - `stale_row`: the row of an event, or of its transaction, is no longer true
         *     - `fact_without_event`: the row behind a fact is missing
         *     - `too_many_bodies`: an event with more than 50 bodies was not compared
         *     - `unreadable`: an event was not compared, because this version cannot read a row of it
         *     - `too_large`: an event was not compared, because it touches more rows than one transaction takes
         * @enum {string}
         */
        DifferenceKind: "missing_fact" | "stale_fact" | "missing_mark" | "stale_mark" | "stale_row" | "fact_without_event" | "too_many_bodies" | "unreadable" | "too_large";
        /** @description A body, before and after an act. */
        EventChange: {
            /** @description `null` for a body that is no event. */
            event_id: string | null;
            /** @description `null` for an event name. */
            body_sha256: string | null;
            /** @description `null` for a row that the act stored. */
            before: components["schemas"]["EventState"] | null;
            after: components["schemas"]["EventState"];
        };
        /** @description What became of a body, and whether it waits. */
        EventState: {
            /** @description `null` for an event name. */
            outcome: components["schemas"]["StoredOutcome"] | null;
            /** @description `null` when it does not wait. */
            waiting: components["schemas"]["WaitingKind"] | null;
        };
        /** @description An order, before and after an act. */
        OrderChange: {
            /** @description The merchant’s id of the order. */
            order_id: string;
            /** @description `null` for an order that had no events. */
            before: components["schemas"]["OrderSnapshot"] | null;
            after: components["schemas"]["OrderSnapshot"];
        };
        /** @description The money of an order, and what a person must look at. */
        OrderSnapshot: {
            status: components["schemas"]["OrderStatus"];
            attention: components["schemas"]["Attention"][];
            transactions: components["schemas"]["Transaction"][];
            /** @description Counts the changes of the order; it never goes back. */
            sequence: number;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
};
export type Mode = components['schemas']['Mode'];
export type OrderStatus = components['schemas']['OrderStatus'];
export type TransactionStatus = components['schemas']['TransactionStatus'];
export type Attention = components['schemas']['Attention'];
export type Outcome = components['schemas']['Outcome'];
export type Reason = components['schemas']['Reason'];
export type WaitingKind = components['schemas']['WaitingKind'];
export type Transaction = components['schemas']['Transaction'];
export type OrderEvent = components['schemas']['OrderEvent'];
export type Order = components['schemas']['Order'];
export type OrderList = components['schemas']['OrderList'];
export type OrderEventDetail = components['schemas']['OrderEventDetail'];
export type OtherBody = components['schemas']['OtherBody'];
export type ReasonRule = components['schemas']['ReasonRule'];
export type StateReason = components['schemas']['StateReason'];
export type ActName = components['schemas']['ActName'];
export type OrderAct = components['schemas']['OrderAct'];
export type OrderEvents = components['schemas']['OrderEvents'];
export type TransactionOrder = components['schemas']['TransactionOrder'];
export type TransactionDetail = components['schemas']['TransactionDetail'];
export type WaitingEvent = components['schemas']['WaitingEvent'];
export type EventRecord = components['schemas']['EventRecord'];
export type Event = components['schemas']['Event'];
export type Problem = components['schemas']['Problem'];
export type OrderNotFoundProblem = components['schemas']['OrderNotFoundProblem'];
export type ParameterProblem = components['schemas']['ParameterProblem'];
export type GatewayMessage = components['schemas']['GatewayMessage'];
export type StoredOutcome = components['schemas']['StoredOutcome'];
export type WaitingList = components['schemas']['WaitingList'];
export type WaitingItem = components['schemas']['WaitingItem'];
export type WaitingCounts = components['schemas']['WaitingCounts'];
export type WaitingCount = components['schemas']['WaitingCount'];
export type StoredEventRecord = components['schemas']['StoredEventRecord'];
export type Judgement = components['schemas']['Judgement'];
export type Erasure = components['schemas']['Erasure'];
export type OperatorAct = components['schemas']['OperatorAct'];
export type EventRecords = components['schemas']['EventRecords'];
export type EventBodies = components['schemas']['EventBodies'];
export type RecordWithBody = components['schemas']['RecordWithBody'];
export type KeyUses = components['schemas']['KeyUses'];
export type KeyUse = components['schemas']['KeyUse'];
export type AdmitRequest = components['schemas']['AdmitRequest'];
export type DismissRequest = components['schemas']['DismissRequest'];
export type ResolveRequest = components['schemas']['ResolveRequest'];
export type ReplayRequest = components['schemas']['ReplayRequest'];
export type VerifyRequest = components['schemas']['VerifyRequest'];
export type EraseRequest = components['schemas']['EraseRequest'];
export type ActResult = components['schemas']['ActResult'];
export type ConflictProblem = components['schemas']['ConflictProblem'];
export type ReplayResult = components['schemas']['ReplayResult'];
export type LeftEvent = components['schemas']['LeftEvent'];
export type EraseResult = components['schemas']['EraseResult'];
export type ErasedBody = components['schemas']['ErasedBody'];
export type Remains = components['schemas']['Remains'];
export type VerifyResult = components['schemas']['VerifyResult'];
export type Difference = components['schemas']['Difference'];
export type DifferenceKind = components['schemas']['DifferenceKind'];
export type EventChange = components['schemas']['EventChange'];
export type EventState = components['schemas']['EventState'];
export type OrderChange = components['schemas']['OrderChange'];
export type OrderSnapshot = components['schemas']['OrderSnapshot'];
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
