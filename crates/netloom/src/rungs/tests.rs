//! The contract of every evaluator, and an example of a new one: a row and its two functions are enough.

use std::sync::Arc;

use netloom_model::param::Bound;
use netloom_model::{
    Call, Datum, Distances, Evaluates, Evaluator, Found, Job, Machine, Outcome, Progress, Record, RoutingCall,
    Scenario, Seats, Table, Tabled, Workload, record, table,
};

/// Broadcast by halving distances.
fn binomial(ranks: u32, bytes: u64) -> Workload {
    let call = Call::parse("broadcast:binomial").unwrap();
    netloom_workload::registry::build(&call, i64::from(ranks), 0, bytes as i64).unwrap().into()
}

fn scenario(workload: Workload) -> Scenario {
    let network = Arc::new(netloom_net::build(&Call::parse("torus(4,4,p=2)").unwrap()).unwrap());
    let routing = RoutingCall::new(Call::parse("single-minimal").unwrap(), netloom_net::routing::build);
    let seats = Seats::new((0..workload.ranks()).map(|rank| rank * 7 % 8).collect());
    let bound = Bound::bind(netloom_model::job::JOB, &Call::bare("job")).unwrap();
    let mut job = Job::new("job".into(), Arc::new(seats), workload, &bound).unwrap();
    job.routing = Some(Arc::new(routing));
    let distances = Arc::new(Distances::new(netloom_net::MEASURE));
    Scenario { machine: Machine::new(network, distances), jobs: vec![job], background: Vec::new() }
}

#[test]
fn answers_have_the_fields_and_the_tables_of_their_row() {
    let scenario = scenario(binomial(16, 1000));
    for row in super::RUNGS.rows {
        let options = row.bind(&Call::parse(row.example).unwrap()).unwrap();
        let answer = row.evaluate(&scenario, &options, &Progress::new()).unwrap();
        assert_eq!(answer.record.len(), row.fields.len(), "{}", row.name);
        for table in &answer.tables {
            assert!(row.tables.iter().any(|known| **known == *table.row), "{}: {}", row.name, table.row.name);
            assert_eq!(table.columns.len(), table.row.fields.len(), "{}: {}", row.name, table.row.name);
            assert!(table.columns.windows(2).all(|two| two[0].len() == two[1].len()), "{}", table.row.name);
        }
    }
}

table! {
    struct FanRow: "fans", "one row per rank" {
        messages: u64, "", "that the rank sends";
    }
}

record! {
    struct FanRecord {
        most: Option<u64>, "", "messages of the rank that sends most";
    }
}

const TOY: Evaluator = Evaluator {
    name: "fan-out",
    aliases: &[],
    summary: "how many messages ranks send",
    params: &[],
    example: "fan-out",
    restrictions: "one job",
    source: "",
    build: Evaluates {
        model: "messages counted",
        version: "1",
        assumptions: &["Every message counts once."],
        fields: FanRecord::FIELDS,
        tables: &[FanRow::TABLE],
        supports: |needs| needs.all(&[|n| n.one_job(), |n| n.no_background()]),
        find: count,
    },
};

fn count(scenario: &Scenario, _: &Bound, _: &Progress) -> Outcome<Found> {
    let sends = scenario.one_job()?.workload.sends()?;
    let mut sent = vec![0u64; sends.ranks() as usize];
    (0..sends.ranks()).for_each(|r| sends.for_each(r, &mut |_, messages, _| sent[r as usize] += messages));
    let record = FanRecord { most: sent.iter().copied().max() };
    Ok(Found::new(record, vec![Table::of(sent.into_iter().map(|messages| FanRow { messages }))]))
}

#[test]
fn a_new_evaluator_is_a_row_and_two_functions() {
    let mut scenario = scenario(binomial(16, 1000));
    let options = TOY.bind(&Call::bare("fan-out")).unwrap();
    let answer = TOY.evaluate(&scenario, &options, &Progress::new()).unwrap();
    assert_eq!(answer.get("most"), Some(&Datum::Count(4)));
    assert_eq!(answer.table("fans").unwrap().columns[0].len(), 16);
    scenario.jobs.push(scenario.jobs[0].clone());
    let refusal = TOY.evaluate(&scenario, &options, &Progress::new()).unwrap_err();
    assert!(refusal.to_string().starts_with("NL-E030 jobs: fan-out takes one job, not 2"), "{refusal}");
}
